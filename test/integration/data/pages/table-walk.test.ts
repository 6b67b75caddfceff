import test, { type ExecutionContext } from 'ava'
import { newId } from '#shared/crypto/ids.ts'
import type { Database, Row } from '#shared/data/database.ts'
import { type IdentityOrder, identityOrders, identityRows } from '#shared/data/identities/columns.ts'
import type { SeekPosition } from '#shared/data/pages/cursor.ts'
import type { OrderKey } from '#shared/data/pages/page.ts'
import { walkTable } from '#shared/data/pages/table-walk.ts'
import { insertRows } from '#shared/data/sql/insert-rows.ts'
import { raw, sql } from '#shared/data/sql/sql.ts'
import type { Identity } from '#shared/domain/identity/identity.ts'
import { testDatabase } from '../../../support/databases/database.ts'

const accountId = 'account'

/** 90 identities, of which every third has signed in, and others of another account. */
async function populate(db: Database): Promise<void> {
  const rows = Array.from({ length: 100 }, (_, n) => {
    const identity: Identity = {
      id: newId(),
      accountId: n % 10 === 0 ? 'other' : accountId,
      createdAt: Math.floor(n / 3),
      updatedAt: n,
      name: `n${(n * 7) % 100}`,
      displayName: `d${n % 5}`,
      group: null,
      tags: n % 4 === 0 ? ['rare'] : [],
      email: null,
      emailVerified: false,
      hasPassword: false,
      lastLoginAt: null,
      activated: n % 2 === 0,
    }
    return { ...identity, groupId: '', passwordHash: null }
  })
  await db.transaction((tx) => insertRows(tx, identityRows(rows)))
  await db.run('update identities set last_login_at = updated_at + 1 where updated_at % 3 = 0')
}

type Found = { ids: string[]; calls: number; counted: number }

/** Walks to the end in calls of this number of rows. */
async function walkAll(
  t: ExecutionContext,
  db: Database,
  { order, direction }: { order: IdentityOrder; direction: 'asc' | 'desc' },
): Promise<Found> {
  const account = sql`i.account_id = ${accountId}`
  const rows = { table: 'identities i', columns: raw('i.id'), id: 'i.id', order: identityOrders[order] }
  const set = walkTable(db, {
    rows: { ...rows, conditions: sql`${account} and i.activated = 1` },
    walked: { from: sql`from identities i where ${account}`, filter: 'activated', wording: { rows: '', narrower: '' } },
  })
  const found: Found = { ids: [], calls: 0, counted: 0 }
  let from: SeekPosition<OrderKey> | null = null
  for (let isEnd = false; !isEnd; found.calls++) {
    const budget = { left: 20 }
    for await (const stretch of set.walk({ direction, from, budget })) {
      const read: Row[] = await set.read({ ...stretch, limit: 1_000, offset: 0 })
      found.ids.push(...read.map(({ id }) => String(id)))
      found.counted += await set.count(stretch)
      from = stretch.to
      isEnd = from === null
    }
    t.true(budget.left >= 0)
    t.true(found.calls < 20)
  }
  return found
}

for (const order of Object.keys(identityOrders) as IdentityOrder[]) {
  test(`a walk by ${order} in calls of 20 rows finds all matches, once and in order`, async (t) => {
    const { db } = await testDatabase(t)
    await populate(db)
    const { key } = identityOrders[order]
    for (const direction of ['asc', 'desc'] as const) {
      const missing = order === 'lastLoginAt' ? 'case when i.last_login_at is null then 1 else 0 end, ' : ''
      const expected = await db.all<{ id: string }>(
        `select i.id from identities i where i.account_id = ? and i.activated = 1
          order by ${missing}${key} ${direction}, i.id ${direction}`,
        [accountId],
      )
      const found = await walkAll(t, db, { order, direction })
      t.deepEqual(
        found.ids,
        expected.map(({ id }) => id),
      )
      t.is(found.counted, expected.length)
      t.true(found.calls >= 4, String(found.calls))
    }
  })
}
