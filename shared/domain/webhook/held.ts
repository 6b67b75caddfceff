// Beyond the bound of waiting deliveries, events are held for a webhook instead of being lost. When half of the bound is free, held events
// become deliveries, oldest first. A webhook is behind from the first held event until nothing is held and half of the bound is free again.
// Without this margin, a webhook at the bound would start a new episode with every event.

/** The held events of a webhook that is behind. */
export type Backlog = {
  webhookId: string
  accountId: string
  /** The position of the oldest held event, and the one that the next will have; no position between them is empty. */
  first: number
  next: number
  /** Whether it has missed events since it fell behind. */
  missing: boolean
}

export type Backlogs = ReadonlyMap<string, Backlog>

export function heldIn({ first, next }: Backlog): number {
  return next - first
}

/** The number of positions per millisecond, so that an episode that begins later has different positions. */
const positionsOfTime = 1_024

/** The empty backlog of a webhook. Keys are never reused, so index scans do not pass over deleted rows of an earlier episode. */
export function emptyBacklog(of: Pick<Backlog, 'webhookId' | 'accountId'>, now: number): Backlog {
  const first = now * positionsOfTime
  return { ...of, first, next: first, missing: false }
}

/** Whether half of the bound is free. */
export function isHalfFree(waiting: number, maxWaiting: number): boolean {
  return waiting <= maxWaiting / 2
}

/** The held events to give to a webhook that is behind, and whether it has then caught up. */
export type Giving = {
  backlog: Backlog
  /** How many of its oldest held events. */
  count: number
  /** Nothing is held any more, and half of the bound is free. */
  caughtUp: boolean
  /** It should be given more than this cycle has room for. */
  owed: boolean
}

/** Maximum webhooks that one cycle gives held events: each needs separate statements. */
const maxGiven = 20

/**
 * Gives webhooks with at least half of the bound free their oldest held events, up to the bound; those with the fewest waiting deliveries first.
 * @param limits.room the maximum number of events for all webhooks together
 */
export function planGiving(
  behind: readonly { backlog: Backlog; waiting: number }[],
  { maxWaiting, room }: { maxWaiting: number; room: number },
): Giving[] {
  let left = room
  let webhooks = 0
  const fewestFirst = behind
    .filter(({ waiting }) => isHalfFree(waiting, maxWaiting))
    .sort((one, other) => one.waiting - other.waiting)
  const givings = fewestFirst.map(({ backlog, waiting }): Giving => {
    const held = heldIn(backlog)
    const most = Math.min(held, maxWaiting - waiting)
    const count = webhooks < maxGiven ? Math.min(most, left) : 0
    left -= count
    if (count > 0) webhooks++
    const caughtUp = count === held && isHalfFree(waiting + count, maxWaiting)
    return { backlog, count, caughtUp, owed: count < most }
  })
  return givings.filter(({ count, caughtUp, owed }) => count > 0 || caughtUp || owed)
}

/**
 * The number of held events that a cycle has room for. New events take up to half of the cycle, because webhooks that are behind would
 * otherwise delay all others.
 */
export function roomForHeld(events: number, most: number): number {
  return most - Math.min(events, Math.floor(most / 2))
}

/** The backlog after events have been given; null: it has caught up. */
export function backlogAfter({ backlog, count, caughtUp }: Giving): Backlog | null {
  return caughtUp ? null : { ...backlog, first: backlog.first + count }
}
