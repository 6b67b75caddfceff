import type { Lane } from '#shared/domain/webhook/deliveries/queue.ts'

/** A webhook's slot in a lane, held from its claim until its lease is released. */
export type Slot = {
  /** Moves a long attempt to the slow lane if it has a free slot. @returns whether this freed a fast slot */
  demote(): boolean
  release(): void
}

export type Lanes = {
  /** How many more webhooks the lane can serve now. */
  free(lane: Lane): number
  /** Takes a slot, even when none is free: an attempt may have been demoted to the lane during the claim. */
  acquire(lane: Lane): Slot
}

/**
 * Limits how many webhooks are served at once, in two lanes with half of the slots each. Webhooks whose last attempt
 * failed or took long use the slow one, so that receivers that never answer cannot occupy the slots of those that do.
 */
export function createLanes(concurrency: number): Lanes {
  const slow = Math.max(1, Math.floor(concurrency / 2))
  const slots = { fast: Math.max(1, concurrency - slow), slow }
  const used = { fast: 0, slow: 0 }
  const free = (lane: Lane) => Math.max(0, slots[lane] - used[lane])
  return {
    free,
    acquire(first) {
      let lane = first
      used[lane]++
      return {
        demote() {
          if (lane === 'slow' || free('slow') <= 0) return false
          used.fast--
          used.slow++
          lane = 'slow'
          return true
        },
        release: () => void used[lane]--,
      }
    },
  }
}
