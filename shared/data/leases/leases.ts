import type { Database, Transaction } from '../database.ts'
import { sql } from '../sql/sql.ts'
import { forUpdate, onConflict } from '../sql/statements.ts'

/** A named right to do something alone, for a time. */
export type Lease = {
  name: string
  owner: string
  /** Grows with every change of hands: whoever writes on the lease's strength checks it in the same transaction. */
  fence: number
  /** Until when the holder may rely on it, on its own monotonic clock, counted from before it asked. */
  safeUntil: number
}

/**
 * Takes the lease if it is free, has run out, or is already the owner's (which renews it under the same fence).
 * @param options.ms how long it holds, on the database's clock
 * @returns null while somebody else holds it
 */
export async function takeLease(
  db: Database,
  options: { name: string; owner: string; ms: number },
): Promise<Lease | null> {
  const { name, owner, ms } = options
  const safeUntil = performance.now() + ms
  return db.transaction(async (tx) => {
    const now = await tx.now()
    const held = (await lockLease(tx, name)) ?? (await makeLease(tx, name))
    // Further ahead than a lease can last: the clock was ahead when it was taken.
    const holds = held.lease_until > now && held.lease_until <= now + longestMs
    if (held.owner !== null && held.owner !== owner && holds) return null
    const fence = held.owner === owner ? held.fence : held.fence + 1
    await tx.run('update leases set owner = ?, lease_until = ?, fence = ? where name = ?', [
      owner,
      now + ms,
      fence,
      name,
    ])
    return { name, owner, fence, safeUntil }
  })
}

/** No lease lasts longer. */
const longestMs = 24 * 60 * 60_000

/** Gives the lease back; nothing happens when it has gone to somebody else. */
export async function releaseLease(db: Database, lease: Lease): Promise<void> {
  await db.run('update leases set owner = null, lease_until = 0 where name = ? and owner = ? and fence = ?', [
    lease.name,
    lease.owner,
    lease.fence,
  ])
}

type LeaseRow = { owner: string | null; lease_until: number; fence: number }

/** Locked before it is validated, so that of several that find it free one takes it. */
function lockLease(tx: Transaction, name: string): Promise<LeaseRow | undefined> {
  return tx.get<LeaseRow>(sql`select owner, lease_until, fence from leases where name = ${name} ${forUpdate}`)
}

/** Another process may make it first, and even take it. */
async function makeLease(tx: Transaction, name: string): Promise<LeaseRow> {
  const free: LeaseRow = { owner: null, lease_until: 0, fence: 0 }
  await tx.run(sql`insert into leases (name, owner, lease_until, fence) values (${name}, null, 0, 0)
    ${onConflict(['name'], {})}`)
  return (await lockLease(tx, name)) ?? free
}
