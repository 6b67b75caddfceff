import PQueue from 'p-queue'
import type { Lane } from '#shared/data/dispatch/queue-state.ts'

/** A webhook's place in a lane, held from its claim until its lease is given back. */
export type Slot = {
  /** Called when an attempt takes long: moves to the slow lane if that has room. @returns whether that freed a fast place */
  demote(): boolean
  leave(): void
}

export type Lanes = {
  /** How many webhooks more the lane can serve now. */
  free(lane: Lane): number
  enter(lane: Lane): Slot
  serving(): number
}

/**
 * Bounds how many webhooks are served at once, in two lanes of half the slots each: webhooks whose last attempt failed or
 * took long have the slow one, so receivers that never answer cannot use up the slots of those that do.
 */
export function createLanes(concurrency: number): Lanes {
  const slowPlaces = Math.max(1, Math.floor(concurrency / 2))
  const queues = {
    fast: new PQueue({ concurrency: Math.max(1, concurrency - slowPlaces) }),
    slow: new PQueue({ concurrency: slowPlaces }),
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
    enter(lane) {
      let held: Lane = lane
      let leave = take(lane)
      return {
        demote() {
          if (held === 'slow' || free('slow') <= 0) return false
          leave()
          held = 'slow'
          leave = take('slow')
          return true
        },
        leave: () => leave(),
      }
    },
  }
}
