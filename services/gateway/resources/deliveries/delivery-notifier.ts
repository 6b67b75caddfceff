import { withTimeLimit } from '#shared/time/time-limit.ts'

/** Notifies requests that wait for a delivery when a dispatcher reports that it has settled. A lost message is not repeated. */
export type DeliveryNotifier = {
  notify(deliveryId: string): void
  startWait(deliveryId: string): DeliveryWait
  /** The process is ending: wakes every wait, which then finds `closing` true and ends. */
  close(): void
  closing(): boolean
}

export type DeliveryWait = {
  /** Resolves on a notification, at once if there was one since the last call, and at the latest after `withinMs`. */
  next(withinMs: number): Promise<void>
  end(): void
}

export function createDeliveryNotifier(): DeliveryNotifier {
  const waits = new Map<string, () => void>()
  let closing = false

  function startWait(deliveryId: string): DeliveryWait {
    let notified = false
    let wake = () => {}
    waits.set(deliveryId, () => {
      notified = true
      wake()
    })
    return {
      async next(withinMs) {
        if (!notified && !closing) {
          await withTimeLimit(new Promise<void>((resolve) => (wake = resolve)), withinMs, () => {})
        }
        notified = false
      },
      end: () => void waits.delete(deliveryId),
    }
  }

  return {
    startWait,
    notify: (deliveryId) => waits.get(deliveryId)?.(),
    close() {
      closing = true
      for (const notify of waits.values()) notify()
    },
    closing: () => closing,
  }
}
