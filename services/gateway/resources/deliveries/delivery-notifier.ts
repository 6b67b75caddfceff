/** Rings for those who wait for a delivery when a dispatcher tells that it has settled. A lost ring is never made up. */
export type DeliveryNotifier = {
  notify(deliveryId: string): void
  startWait(deliveryId: string): DeliveryWait
  /** The process ends: rings for everybody, who then finds it closing and waits no longer. */
  close(): void
  closing(): boolean
}

export type DeliveryWait = {
  /** Resolves when it rings, at once if it has rung since the last time, and at the latest after `withinMs`. */
  next(withinMs: number): Promise<void>
  end(): void
}

export function createDeliveryNotifier(): DeliveryNotifier {
  const ringers = new Map<string, () => void>()
  let closing = false

  function hear(deliveryId: string): DeliveryWait {
    let rung = false
    let wake = () => {}
    ringers.set(deliveryId, () => {
      rung = true
      wake()
    })
    return {
      async next(withinMs) {
        if (!rung && !closing) await orAfter(withinMs, (resolve) => (wake = resolve))
        rung = false
      },
      end: () => void ringers.delete(deliveryId),
    }
  }

  return {
    startWait: hear,
    notify: (deliveryId) => ringers.get(deliveryId)?.(),
    close() {
      closing = true
      for (const ring of ringers.values()) ring()
    },
    closing: () => closing,
  }
}

/** @param wait is handed what to call when the wait is over */
async function orAfter(ms: number, wait: (resolve: () => void) => void): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>()
  const timer = setTimeout(resolve, ms)
  wait(resolve)
  await promise
  clearTimeout(timer)
}
