import test, { type ExecutionContext } from 'ava'
import type { Database } from '#shared/data/database.ts'
import { findBeyondLimits } from '#shared/data/items/commit/beyond-limits.ts'
import { createCommitter } from '#shared/data/items/commit/commit.ts'
import { RejectedChange } from '#shared/data/items/commit/rejected-change.ts'
import type { ItemChange, ItemLimits } from '#shared/data/items/item-change.ts'
import { readStoredBytes, recountStoredBytes } from '#shared/data/items/stored-bytes.ts'
import { insertList } from '#shared/data/lists/list-changes.ts'
import { newList } from '#shared/domain/list/settings.ts'
import { outcomeOf } from '../../../support/databases/commits.ts'
import { itemChange, makeList, makeWebhook, testId, testItem } from '../../../support/databases/contents/rows.ts'
import { anotherConnection, testDatabase } from '../../../support/databases/database.ts'

const atMost = (maxItemsPerList: number): ItemLimits => ({ maxItemsPerList, maxStorageBytes: null })
const bytes = (maxStorageBytes: number): ItemLimits => ({ maxItemsPerList: null, maxStorageBytes })
const beyond = 'MAX_ITEMS_EXCEEDED'

type At = Awaited<ReturnType<typeof makeList>>

/** `n` creates in a list with a limit. */
function creates(at: At, n: number, max: number): ItemChange[] {
  return Array.from({ length: n }, () => itemChange(at, { limits: atMost(max) }))
}

const removal = (at: At, itemId: string, max: number) =>
  itemChange(at, { itemId, expectedRevision: 1, after: null, limits: atMost(max) })

async function setUp(t: ExecutionContext) {
  const { db, dataDir } = await testDatabase(t)
  const at = await makeList(db)
  await makeWebhook(db, at)
  const stored = () =>
    db.get(`select (select count(*) from items where list_id = '${at.listId}') as items,
      (select item_count from lists where id = '${at.listId}') as counted`)
  return { db, dataDir, at, committer: createCommitter(db, { announce() {} }), stored }
}

/** The number of commits with each outcome. */
async function outcomesOf(commits: readonly Promise<void>[]): Promise<Record<string, number>> {
  const outcomes = await Promise.all(commits.map(outcomeOf))
  return Object.fromEntries([...Map.groupBy(outcomes, (one) => one)].map(([name, all]) => [name, all.length]))
}

test('of concurrent creates in several processes exactly as many are stored as the list may have', async (t) => {
  const { db, dataDir, at, stored } = await setUp(t)
  const connections = [db, await anotherConnection(t, dataDir), await anotherConnection(t, dataDir)]
  const committers = connections.map((one) => createCommitter(one, { announce() {} }))
  const commits = committers.flatMap((committer) => creates(at, 20, 25).map((change) => committer.commit(change)))
  t.deepEqual(await outcomesOf(commits), { committed: 25, [beyond]: 35 })
  t.deepEqual(await stored(), { items: 25, counted: 25 })
})

test('concurrent units are stored completely or not at all, and the first change beyond the limit is named', async (t) => {
  const { db, dataDir, at, stored } = await setUp(t)
  const committers = [db, await anotherConnection(t, dataDir)].map((one) => createCommitter(one, { announce() {} }))
  const commits = committers.flatMap((committer) => [1, 2, 3].map(() => committer.commitAll(creates(at, 8, 20))))
  t.deepEqual(await outcomesOf(commits), { committed: 2, [beyond]: 4 })
  t.deepEqual(await stored(), { items: 16, counted: 16 })
  const error = await t.throwsAsync(committers[0]?.commitAll(creates(at, 8, 20)) ?? Promise.resolve())
  t.true(error instanceof RejectedChange)
  t.like(error, { change: 4, status: 403, details: { limit: 'maxItemsPerList', max: 20 } })
})

test('changes of a list without a limit are stored even in a group with rejected ones', async (t) => {
  const { db, at, committer } = await setUp(t)
  const other = await makeList(db)
  const commits = [...creates(at, 4, 2), itemChange(other), itemChange(other)].map((one) => committer.commit(one))
  t.deepEqual(await outcomesOf(commits), { committed: 4, [beyond]: 2 })
})

test('a full list accepts changes and deletes, and a unit that does not make it larger', async (t) => {
  const { at, committer, stored } = await setUp(t)
  const [one, two] = [testId(), testId()]
  for (const itemId of [one, two]) await committer.commit(itemChange(at, { itemId, limits: atMost(2) }))
  t.is(await outcomeOf(committer.commit(itemChange(at, { limits: atMost(2) }))), beyond)
  await committer.commit(itemChange(at, { itemId: one, expectedRevision: 1, limits: atMost(1) }))
  await committer.commitAll([itemChange(at, { limits: atMost(1) }), removal(at, two, 1)])
  t.deepEqual(
    await stored(),
    { items: 2, counted: 2 },
    'the list is beyond the limit of a smaller plan, but not larger than before',
  )
  await committer.commit(removal(at, one, 1))
  t.deepEqual(await stored(), { items: 1, counted: 1 })
})

test('a dry run returns each change beyond the limit, by the current state of the list', async (t) => {
  const { db, at, committer } = await setUp(t)
  await committer.commitAll(creates(at, 2, 3))
  const rejected = await findBeyondLimits(db, creates(at, 3, 3))
  t.deepEqual(
    rejected.map(({ name, change }) => [name, change]),
    [
      [beyond, 1],
      [beyond, 2],
    ],
  )
  t.deepEqual(await findBeyondLimits(db, [itemChange(at)]), [])
})

const storedBytes = (db: Database, { accountId }: At) => readStoredBytes(db, accountId)

/** `n` creates of 16 bytes each. */
const sized = (at: At, n: number, max: number) =>
  Array.from({ length: n }, () => itemChange(at, { limits: bytes(max) }))

test('of concurrent creates in several lists and processes exactly as many bytes are stored as the account may have', async (t) => {
  const { db, dataDir, at } = await setUp(t)
  const listId = testId()
  const list = newList({ pathName: 'other' }, { id: listId, accountId: at.accountId, at: 0 })
  await db.transaction((tx) => insertList(tx, list))
  const committers = [db, await anotherConnection(t, dataDir)].map((one) => createCommitter(one, { announce() {} }))
  const commits = committers.flatMap((committer) =>
    [at, { ...at, listId }].flatMap((one) => sized(one, 10, 12 * 16 + 5).map((change) => committer.commit(change))),
  )
  t.deepEqual(await outcomesOf(commits), { committed: 12, STORAGE_LIMIT_EXCEEDED: 28 })
  t.is(await storedBytes(db, at), 12 * 16)
  t.deepEqual(await db.get('select sum(size) as bytes from items'), { bytes: 12 * 16 })
})

test('the bytes of a unit count as a whole, and the first change beyond the limit is named', async (t) => {
  const { db, at, committer } = await setUp(t)
  const error = await t.throwsAsync(committer.commitAll(sized(at, 4, 40)))
  t.true(error instanceof RejectedChange)
  t.like(error, { change: 2, name: 'STORAGE_LIMIT_EXCEEDED', details: { limit: 'maxStorageBytes', max: 40 } })
  const rejected = await findBeyondLimits(db, sized(at, 4, 40))
  t.deepEqual(
    rejected.map(({ change }) => change),
    [2, 3],
  )
  t.is(await storedBytes(db, at), 0)
})

test('if data are beyond the limit, an item may shrink or be deleted, but none may grow', async (t) => {
  const { db, at, committer } = await setUp(t)
  const itemId = testId()
  await committer.commitAll([itemChange(at, { itemId }), itemChange(at)])
  const changedTo = (size: number, revision: number) => {
    const after = { ...testItem(at, itemId, revision + 1), size }
    const before = { activated: true, size: revision === 1 ? 16 : 10 }
    return committer.commit(itemChange(at, { itemId, expectedRevision: revision, before, after, limits: bytes(20) }))
  }
  t.is(await outcomeOf(changedTo(17, 1)), 'STORAGE_LIMIT_EXCEEDED')
  await changedTo(10, 1)
  t.is(await storedBytes(db, at), 26)
  t.is(await outcomeOf(changedTo(11, 2)), 'STORAGE_LIMIT_EXCEEDED')
  await committer.commit({
    ...removal(at, itemId, 1),
    expectedRevision: 2,
    before: { activated: true, size: 10 },
    limits: bytes(20),
  })
  t.is(await storedBytes(db, at), 16)
})

test('uncounted bytes are found by a recount', async (t) => {
  const { db, at, committer } = await setUp(t)
  await committer.commitAll(sized(at, 3, 100))
  t.deepEqual(await recountStoredBytes(db, at.accountId), { lists: 1, difference: 0 })
  await db.run('update lists set data_bytes = 5')
  t.deepEqual(await recountStoredBytes(db, at.accountId), { lists: 1, difference: 43 })
  t.is(await storedBytes(db, at), 48)
})
