import type { ExpiringRows } from '../background/delete-expired.ts'
import { toJson, toNumber, toText } from '../columns.ts'
import type { Queries } from '../database.ts'
import { rowMapper } from '../sql/insert-rows.ts'
import { sql } from '../sql/sql.ts'

/** The idempotency key of a request, kept in the transaction of its changes. */
export type IdempotencyKey = {
  /** Of the key and of who sent it. */
  keyHash: string
  listId: string
  /** Of what else was sent. */
  requestHash: string
  /** Epoch milliseconds. */
  expiresAt: number
}

/** A key with the events of the changes that its request made, in their order. */
export type IdempotencyRecord = IdempotencyKey & { eventIds: string[] }

export const idempotencyRecordRows = rowMapper<IdempotencyRecord>('idempotency_keys', {
  key_hash: ({ keyHash }) => keyHash,
  list_id: ({ listId }) => listId,
  request_hash: ({ requestHash }) => requestHash,
  expires_at: ({ expiresAt }) => expiresAt,
  event_ids: ({ eventIds }) => JSON.stringify(eventIds),
})

/**
 * The request that was made with a key. One that has expired, or whose list is deleted, is forgotten.
 * @param now epoch milliseconds
 */
export async function findIdempotencyRecord(
  db: Queries,
  keyHash: string,
  now: number,
): Promise<IdempotencyRecord | null> {
  const row = await db.get(
    sql`select k.list_id, k.request_hash, k.expires_at, k.event_ids, l.id as existing
      from idempotency_keys k left join lists l on l.id = k.list_id where k.key_hash = ${keyHash}`,
  )
  if (!row) return null
  const expiresAt = toNumber(row.expires_at)
  if (expiresAt <= now || row.existing === null) {
    // Another process may have forgotten it already, and kept a later request.
    await db.run(sql`delete from idempotency_keys where key_hash = ${keyHash} and expires_at = ${expiresAt}`)
    return null
  }
  const [listId, requestHash] = [toText(row.list_id), toText(row.request_hash)]
  return { keyHash, listId, requestHash, expiresAt, eventIds: toJson<string[]>(row.event_ids) }
}

/** Whether a request with this key has been made, also by a transaction that this one met. */
export async function hasIdempotencyRecord(db: Queries, keyHash: string): Promise<boolean> {
  return (await db.get(sql`select key_hash from idempotency_keys where key_hash = ${keyHash}`)) !== undefined
}

/** Keys end by themselves, and are deleted in the background. */
export const expiringKeys: ExpiringRows = { table: 'idempotency_keys', key: 'key_hash', expiresAt: 'expires_at' }
