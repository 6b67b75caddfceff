import test, { type ExecutionContext } from 'ava'
import { type AccountLimit, assertRoomInAccount, assertWithinAccount } from '#shared/data/accounts/account-limits.ts'
import type { Database, Transaction } from '#shared/data/database.ts'
import { insertIdentity } from '#shared/data/identities/identities.ts'
import { ensureGroup } from '#shared/data/identities/identity-groups.ts'
import { insertList } from '#shared/data/lists/list-changes.ts'
import { applySync } from '#shared/data/lists/schema-sync.ts'
import { createToken } from '#shared/data/tokens/tokens.ts'
import { initialValues } from '#shared/domain/fields/values.ts'
import { ownIdentityFields } from '#shared/domain/identity/fields.ts'
import { newList } from '#shared/domain/list/settings.ts'
import { outcomeOf } from '../../../support/databases/commits.ts'
import { testId } from '../../../support/databases/contents/rows.ts'
import { anotherConnection, testDatabase } from '../../../support/databases/database.ts'
import { actor, makeBareAccount, prepareSync } from '../../../support/sync/sync.ts'
import { syncDocument } from '../../../support/sync/sync-world.ts'

/** Functions that each add one resource to an account, by limit. */
const additions = {
  maxLists: async (tx: Transaction, accountId: string) => {
    const id = testId()
    await insertList(tx, newList({ name: id, pathName: id }, { id, accountId, at: 0 }))
  },
  maxTokens: async (tx: Transaction, accountId: string) => {
    await createToken(tx, { id: testId(), accountId, name: 'ci', permissions: [], now: 0 })
  },
  maxIdentities: async (tx: Transaction, accountId: string) => {
    const { id: groupId } = await ensureGroup(tx, { accountId, name: null, idIfNew: testId() })
    const id = testId()
    const own = {
      id,
      accountId,
      createdAt: 0,
      updatedAt: 0,
      name: id,
      displayName: id,
      group: null,
      hasPassword: false,
    }
    await insertIdentity(tx, { ...initialValues(ownIdentityFields), ...own }, { groupId, passwordHash: null })
  },
} satisfies { [Name in AccountLimit]?: (tx: Transaction, accountId: string) => Promise<void> }

async function connections(t: ExecutionContext): Promise<{ db: Database; all: Database[] }> {
  const { db, dataDir } = await testDatabase(t)
  return { db, all: [db, await anotherConnection(t, dataDir), await anotherConnection(t, dataDir)] }
}

for (const limit of ['maxLists', 'maxTokens', 'maxIdentities'] as const) {
  test(`${limit}: exactly as many concurrent additions succeed as the account may have`, async (t) => {
    const { db, all } = await connections(t)
    const [accountId, other] = [await makeBareAccount(db), await makeBareAccount(db)]
    await db.transaction((tx) => additions[limit](tx, other))
    const outcomes = await Promise.all(
      Array.from({ length: 12 }, (_, n) => {
        const growth = { accountId, limit, added: 1, max: 5 }
        const add = all[n % all.length]?.transaction(async (tx) => {
          await assertRoomInAccount(tx, growth)
          await additions[limit](tx, accountId)
        })
        return outcomeOf(add ?? Promise.resolve())
      }),
    )
    t.is(outcomes.filter((outcome) => outcome === 'committed').length, 5)
    const error = await t.throwsAsync(assertWithinAccount(db, { accountId, limit, added: 1, max: 5 }))
    t.like(error, { status: 403, details: { limit, max: 5 } })
    t.deepEqual(new Set(outcomes), new Set(['committed', error?.name ?? '']))
    await t.notThrowsAsync(assertWithinAccount(db, { accountId, limit, added: 0, max: 1 }), 'it need not shrink')
  })
}

test('concurrent syncs create no more lists than the account may have, each completely or not at all', async (t) => {
  const { db, all } = await connections(t)
  const accountId = await makeBareAccount(db)
  const prepared = await Promise.all(
    Array.from({ length: 5 }, async (_, n) => {
      const lists = { [`a${n}`]: {}, [`b${n}`]: {} }
      const { writes } = await prepareSync(db, accountId, syncDocument({ lists }))
      return { ...writes, growth: { ...writes.growth, max: 5 } }
    }),
  )
  const outcomes = await Promise.all(
    prepared.map((writes, n) => outcomeOf(applySync({ db: all[n % all.length] ?? db, announce() {} }, writes, actor))),
  )
  t.deepEqual(outcomes.toSorted(), [
    'MAX_LISTS_EXCEEDED',
    'MAX_LISTS_EXCEEDED',
    'MAX_LISTS_EXCEEDED',
    'committed',
    'committed',
  ])
  t.deepEqual(await db.get('select count(*) as lists from lists'), { lists: 4 })
  t.like(await db.get('select count(*) as entries from events'), { entries: 4 })
})

test('a sync that deletes as many lists as it creates is within any limit', async (t) => {
  const { db } = await connections(t)
  const accountId = await makeBareAccount(db)
  const first = await prepareSync(db, accountId, syncDocument({ scope: 'app', lists: { one: {} } }))
  await applySync({ db, announce() {} }, first.writes, actor)
  const next = await prepareSync(db, accountId, syncDocument({ scope: 'app', lists: { two: {} } }), { prune: true })
  const writes = { ...next.writes, growth: { ...next.writes.growth, max: 1 } }
  t.is(await outcomeOf(applySync({ db, announce() {} }, writes, actor)), 'committed')
})
