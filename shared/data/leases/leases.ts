import type { Database, Transaction } from '../database.ts'
import { sql } from '../sql/sql.ts'
import { forUpdate, onConflict } from '../sql/statements.ts'

/** A named, exclusive right to do something for a limited time. */
export type Lease = {
  name: string
  owner: string
  /** Incremented with every change of owner; a write that relies on the lease checks it in the same transaction. */
  fence: number
  /** The time until which the holder may rely on it, on its own monotonic clock; counted from before the request. */
  safeUntil: number
}

/**
 * Acquires the lease if it is free or expired, or renews it under the same fence if the owner already holds it.
 * @param options.ms how long it lasts, on the database's clock
 * @returns null while another owner holds it
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
    // An end too far in the future was set while a clock was ahead, so the lease counts as expired.
    const holds = held.lease_until > now && held.lease_until <= now + longestMs
    if (held.owner !== null && held.owner !== owner && holds) return null
    const fence = held.owner === owner ? held.fence : held.fence + 1
    await tx.run(
      sql`update leases set owner = ${owner}, lease_until = ${now + ms}, fence = ${fence} where name = ${name}`,
    )
    return { name, owner, fence, safeUntil }
  })
}

/** The longest lease. */
const longestMs = 24 * 60 * 60_000

/** Releases the lease; does nothing if another owner has it. */
export async function releaseLease(db: Database, lease: Lease): Promise<void> {
  await db.run(sql`update leases set owner = null, lease_until = 0
    where name = ${lease.name} and owner = ${lease.owner} and fence = ${lease.fence}`)
}

type LeaseRow = { owner: string | null; lease_until: number; fence: number }

/** Locks the row before it is checked, so that only one of several processes acquires a free lease. */
function lockLease(tx: Transaction, name: string): Promise<LeaseRow | undefined> {
  return tx.get<LeaseRow>(sql`select owner, lease_until, fence from leases where name = ${name} ${forUpdate}`)
}

/** Another process may create the row first, and even acquire the lease. */
async function makeLease(tx: Transaction, name: string): Promise<LeaseRow> {
  const free: LeaseRow = { owner: null, lease_until: 0, fence: 0 }
  await tx.run(sql`insert into leases (name, owner, lease_until, fence) values (${name}, null, 0, 0)
    ${onConflict(['name'], {})}`)
  return (await lockLease(tx, name)) ?? free
}
