// Past the bound of waiting deliveries events are held for a webhook instead of being lost, and given to it as deliveries, the oldest first,
// when half of the bound is free. A webhook is behind from the first event that is held until nothing is held and half of the bound is
// free again: at the bound one would be held and given all the time, and each would begin another episode.

/** What is held for a webhook that is behind. */
export type Backlog = {
  webhookId: string
  accountId: string
  /** The position of the oldest held event, and the one that the next will have; no position between them is empty. */
  first: number
  next: number
  /** Whether it has missed events since it is behind. */
  missing: boolean
}

export type Backlogs = ReadonlyMap<string, Backlog>

export function heldIn({ first, next }: Backlog): number {
  return next - first
}

/** Positions of one time, in milliseconds: an episode that begins later has others. */
const positionsOfTime = 1_024

/** What is held for a webhook for which nothing is. No key is used twice, so an index passes none of what an episode before has left. */
export function emptyBacklog(of: Pick<Backlog, 'webhookId' | 'accountId'>, now: number): Backlog {
  const first = now * positionsOfTime
  return { ...of, first, next: first, missing: false }
}

/** Whether half of the bound is free. */
export function isHalfFree(waiting: number, maxWaiting: number): boolean {
  return waiting <= maxWaiting / 2
}

/** What a webhook that is behind is given, and whether it has caught up with that. */
export type Giving = {
  backlog: Backlog
  /** How many of its oldest held events. */
  count: number
  /** Nothing is held any more, and half of the bound is free. */
  caughtUp: boolean
  /** It is to be given more than this cycle has room for. */
  owed: boolean
}

/** How many webhooks one cycle gives held events: each takes statements of its own. */
const maxGiven = 20

/**
 * Gives webhooks their oldest held events, each of which half of the bound is free up to the bound, and those first for which the
 * fewest wait.
 * @param limits.room the most events, all webhooks together
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
 * How much of a cycle is for events that are held already. Events that come have half of it: otherwise webhooks that are behind would
 * keep all others waiting.
 */
export function roomForHeld(events: number, most: number): number {
  return most - Math.min(events, Math.floor(most / 2))
}

/** What is held once events have been given; null: it has caught up. */
export function backlogAfter({ backlog, count, caughtUp }: Giving): Backlog | null {
  return caughtUp ? null : { ...backlog, first: backlog.first + count }
}
