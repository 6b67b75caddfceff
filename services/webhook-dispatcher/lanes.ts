import PQueue from 'p-queue'
import type { Lane } from '#shared/domain/webhook/queue.ts'

/** A webhook's slot in a lane, held from its claim until its lease is given back. */
export type Slot = {
  /** Moves a long attempt to the slow lane if that has a free slot. @returns whether that freed a fast slot */
  demote(): boolean
  release(): void
}

type Lanes = {
  /** How many more webhooks the lane can serve now. */
  free(lane: Lane): number
  acquire(lane: Lane): Slot
  serving(): number
}

/**
 * Limits how many webhooks are served at once, in two lanes with half of the slots each. Webhooks whose last attempt
 * failed or took long use the slow one, so receivers that never answer cannot take the slots of those that do.
 */
export function createLanes(concurrency: number): Lanes {
  const slowSlots = Math.max(1, Math.floor(concurrency / 2))
  const queues = {
    fast: new PQueue({ concurrency: Math.max(1, concurrency - slowSlots) }),
    slow: new PQueue({ concurrency: slowSlots }),
  }
  const free = (lane: Lane) => queues[lane].concurrency - queues[lane].pending - queues[lane].size

  function take(lane: Lane): () => void {
    const { promise, resolve } = Promise.withResolvers<void>()
    void queues[lane].add(() => promise)
    return resolve
  }

  return {
    free,
    serving: () => queues.fast.pending + queues.slow.pending,
    acquire(lane) {
      let current: Lane = lane
      let release = take(lane)
      return {
        demote() {
          if (current === 'slow' || free('slow') <= 0) return false
          release()
          current = 'slow'
          release = take('slow')
          return true
        },
        release: () => release(),
      }
    },
  }
}
