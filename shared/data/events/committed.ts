/** One committed change, as in its entry of the event log, or one emit of a flow. */
export type CommittedEvent = {
  id: string
  /** `item-created`, `list-updated`, … */
  type: string
  /** The id of the changed resource; null for an emit of a flow. */
  modelId: string | null
  /** The item's revision after the change; null for anything else. */
  revision: number | null
}

/** The changes of a commit in one list, or in an account outside its lists, or the emits of an account's flows. */
export type Committed = {
  accountId: string
  /** Null: no list. */
  listId: string | null
  /** In their order. */
  events: CommittedEvent[]
  /** The events have outbox rows, for a request; null: they have none, because the account has no listener. */
  outbox: { requestId: string } | null
  /** Streams receive its events. */
  realtime?: true
}

/** Called with the changes of each commit, once. Returns at once and never throws. */
export type Announce = (committed: readonly Committed[]) => void

/**
 * The events of a commit by list; events without a list, by account.
 * @param outboxOf whether the events of an account have outbox rows
 */
export function committedOf(
  events: readonly AnnouncedEvent[],
  outboxOf: (accountId: string) => Committed['outbox'] = () => null,
): Committed[] {
  const lists = new Map<string, Committed>()
  for (const { id, accountId, listId, type, modelId, revision = null, realtime } of events) {
    const key = listId ?? accountId
    const list = lists.get(key) ?? { accountId, listId, events: [], outbox: outboxOf(accountId) }
    list.events.push({ id, type, modelId, revision })
    if (realtime) list.realtime = true
    lists.set(key, list)
  }
  return [...lists.values()]
}

type AnnouncedEvent = {
  id: string
  accountId: string
  listId: string | null
  type: string
  modelId: string
  revision?: number
  realtime?: true
}

/** The emits of flows, by account. */
export function emittedIn(
  emitted: readonly { eventId: string; accountId: string }[],
  outboxOf: (accountId: string) => Committed['outbox'],
): Committed[] {
  return [...Map.groupBy(emitted, ({ accountId }) => accountId)].map(([accountId, events]) => ({
    accountId,
    listId: null,
    events: events.map(({ eventId: id }) => ({ id, type: 'flow-emitted', modelId: null, revision: null })),
    outbox: outboxOf(accountId),
  }))
}

/** The ids of the events that have outbox rows. */
export function enqueuedEvents(committed: readonly Committed[]): string[] {
  return committed.flatMap(({ outbox, events }) => (outbox ? events.map(({ id }) => id) : []))
}
