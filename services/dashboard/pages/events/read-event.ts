import { stringify } from '#client/src/json.ts'
import type { Event } from '#client/src/types/resources.ts'
import { account, client } from '../../api/client.ts'
import { toListdError } from '../../api/errors.ts'
import { readSnapshot } from '../../parts/events/event-changes.ts'

/** The snapshots of a resource before and after an event, as compact text; null: not stored. */
export type Snapshots = { before: string | null; after: string | null }

/** The number of entries of the account's log that are searched for the previous event of a resource without its own log. */
const mostLooked = 50

/** @throws ListdError */
export async function readSnapshots(event: Event, signal: AbortSignal): Promise<Snapshots> {
  try {
    return (await readOwnLog(event, signal)) ?? (await readAccountLog(event, signal))
  } catch (failure) {
    // The resource was deleted together with its log. The account's log still has the entry.
    if (toListdError(failure).status !== 404) throw failure
    return readAccountLog(event, signal)
  }
}

/** Reads from the resource's own log, as text, so that numbers stay as they were written. Null: it has no log. */
async function readOwnLog(event: Event, signal: AbortSignal): Promise<Snapshots | null> {
  const log = logOf(event)
  if (!log) return null
  const { data } = await log.events(event.modelId, { endAt: event.createdAt, limit: 10, signal }).after()
  const previous = data[data.findIndex(({ id }) => id === event.id) + 1]
  const read = async ({ id }: Event) => readSnapshot(await log.event(event.modelId, id, { signal }).text())
  const [before, after] = await Promise.all([previous ? read(previous) : null, read(event)])
  return { before, after }
}

function logOf({ stream, type, listId }: Event) {
  if (stream === 'list') return client.lists
  if (stream === 'identity') return type.startsWith('identity-group') ? null : client.identities
  if (listId === null) return null
  if (stream === 'item') return client.list(listId)
  return stream === 'index' ? client.list(listId).indexes : null
}

async function readAccountLog({ id, stream, modelId, createdAt }: Event, signal: AbortSignal): Promise<Snapshots> {
  // Items may be large and many, so only the entry itself is read for an item of a deleted list.
  const startAt = stream === 'item' ? createdAt : undefined
  const { data } = await account
    .events({ where: { stream }, startAt, endAt: createdAt, limit: mostLooked, includeSnapshot: true, signal })
    .after()
  const [own, previous] = data.slice(data.findIndex((one) => one.id === id)).filter((one) => one.modelId === modelId)
  const textOf = (one: Event | undefined) => (one?.snapshot && stringify(one.snapshot)) ?? null
  return { before: textOf(previous), after: textOf(own) }
}
