import { objectMembers } from '#shared/json/text/offsets.ts'
import type { EventStream, EventType } from './event-types.ts'
import { removePointers } from './item/guard.ts'

/** An entry of the event log as it is read. JSON stays text from the database to the response. */
export type EventEntry = {
  id: string
  /** Epoch milliseconds. */
  createdAt: number
  stream: EventStream
  type: EventType
  modelId: string
  /** The list that the subject is or belongs to; null: none. */
  listId: string | null
  /** The item's version after the change. */
  version: string | null
  /** JSON text: the actor, or null if the service itself changed it. */
  actor: string
  /** JSON text of the subject after the change (before a deletion); null: there is none, or it was not read. */
  snapshot: string | null
  /** JSON text of further details. */
  attachments: string | null
}

/** The stream of a type. */
export function streamOf(type: string): string {
  return type.slice(0, type.indexOf('-'))
}

/** The names of users by id. */
export type UserNames = ReadonlyMap<string, string>

/**
 * An entry as clients see it, as JSON text. Entries never change, so `updatedAt` is `createdAt`.
 * @param users in an answer to a user, to name the user who changed it; null: in an answer to a token, which does not see it
 */
export function serializeEvent(
  { actor, snapshot, attachments, createdAt, ...entry }: EventEntry,
  users: UserNames | null,
): string {
  const { id, stream, type, modelId, listId, version } = entry
  const time = new Date(createdAt).toISOString()
  const head = JSON.stringify({ id, createdAt: time, updatedAt: time, stream, type, modelId, listId, version })
  const tail = [
    `"actor":${seenActor(actor, users)}`,
    ...(snapshot === null ? [] : [`"snapshot":${snapshot}`]),
    ...(attachments === null ? [] : [`"attachments":${attachments}`]),
  ]
  return `${head.slice(0, -1)},${tail.join(',')}}`
}

/**
 * The author of a change, as shown in an answer or a frame.
 * @param text JSON text of an entry's actor
 * @param users the names of the users who changed something; null: the reader may not see which user it was
 */
export function seenActor(text: string, users: UserNames | null): string {
  const userId = userIdOf(text)
  if (userId === null) return text
  const { userId: _, ...actor } = JSON.parse(text)
  return JSON.stringify(users ? { ...actor, userId, userName: users.get(userId) ?? null } : actor)
}

/**
 * The id of the user who changed it; null: it was not a user, or the entry was written by a version that did not store it.
 * @param actor JSON text
 */
function userIdOf(actor: string): string | null {
  return actor.includes('"userId"') ? (JSON.parse(actor).userId ?? null) : null
}

/**
 * The ids of the users who caused entries or started runs, without duplicates.
 * @param entries their actors as JSON text; null: not stored
 */
export function userIdsOf(entries: readonly { actor: string | null }[]): string[] {
  return [...new Set(entries.map(({ actor }) => (actor === null ? null : userIdOf(actor))).filter((id) => id !== null))]
}

/** An item's snapshot without its guarded values, and with `size` computed from the rest. All other text is unchanged. */
export function redactSnapshot(snapshot: string, guards: readonly string[]): string {
  if (guards.length === 0) return snapshot
  const members = objectMembers(snapshot, 0)
  const data = members.find(({ key }) => key === 'data')
  if (!data) return snapshot
  const visible = removePointers(snapshot.slice(data.value, data.end), guards)
  const parts = members.map(({ key, start, end }) => {
    if (key === 'data') return `"data":${visible}`
    return key === 'size' ? `"size":${Buffer.byteLength(visible)}` : snapshot.slice(start, end)
  })
  return `{${parts.join(',')}}`
}

/** The attachments of an index's event without the items and values on which a build failed: all members that are lists are removed. */
export function withoutItems(attachments: string | null): string | null {
  if (attachments === null) return null
  const kept = Object.entries<unknown>(JSON.parse(attachments)).filter(([, value]) => !Array.isArray(value))
  return JSON.stringify(Object.fromEntries(kept))
}
