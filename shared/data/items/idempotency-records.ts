import type { ExpiringRows } from '../background/delete-expired.ts'
import { toNumber, toText } from '../columns.ts'
import type { Queries } from '../database.ts'
import { rowMapper } from '../sql/insert-rows.ts'
import { sql } from '../sql/sql.ts'

/** The idempotency key of a request, stored in the transaction of its changes. */
export type IdempotencyKey = {
  /** The hash of the key and its sender. */
  keyHash: string
  /** The id of the list or flow of the request; the key is valid only while it exists. */
  subjectId: string
  /** The hash of the rest of the request. */
  requestHash: string
  /** Epoch milliseconds. */
  expiresAt: number
  /** The result of the request, as JSON text; absent: the changes in its transaction. */
  result?: string
}

/** A key with the result of its request, as JSON text: the ids of the events of its changes, in their order, or the answer of a flow. */
export type IdempotencyRecord = Required<IdempotencyKey>

/** The columns keep their first names, because processes of the previous version write them during an upgrade. */
export const idempotencyRecordRows = rowMapper<IdempotencyRecord>('idempotency_keys', {
  key_hash: ({ keyHash }) => keyHash,
  list_id: ({ subjectId }) => subjectId,
  request_hash: ({ requestHash }) => requestHash,
  expires_at: ({ expiresAt }) => expiresAt,
  event_ids: ({ result }) => result,
})

/**
 * The request that was sent with a key. An expired one, or one whose list or flow was deleted, is removed; null: none.
 * @param now epoch milliseconds
 */
export async function findIdempotencyRecord(
  db: Queries,
  keyHash: string,
  now: number,
): Promise<IdempotencyRecord | null> {
  const row = await db.get(
    sql`select k.list_id, k.request_hash, k.expires_at, k.event_ids, coalesce(l.id, f.id) as existing
      from idempotency_keys k left join lists l on l.id = k.list_id left join flows f on f.id = k.list_id
      where k.key_hash = ${keyHash}`,
  )
  if (!row) return null
  const expiresAt = toNumber(row.expires_at)
  if (expiresAt <= now || row.existing === null) {
    // Another process may already have deleted it, and stored a later request.
    await db.run(sql`delete from idempotency_keys where key_hash = ${keyHash} and expires_at = ${expiresAt}`)
    return null
  }
  const [subjectId, requestHash, result] = [toText(row.list_id), toText(row.request_hash), toText(row.event_ids)]
  return { keyHash, subjectId, requestHash, expiresAt, result }
}

/** Whether a request with this key has been answered, also by a concurrent transaction. */
export async function hasIdempotencyRecord(db: Queries, keyHash: string): Promise<boolean> {
  return (await db.get(sql`select key_hash from idempotency_keys where key_hash = ${keyHash}`)) !== undefined
}

/** Expired keys are deleted in the background. */
export const expiringKeys: ExpiringRows = { table: 'idempotency_keys', key: 'key_hash', expiresAt: 'expires_at' }
