import test, { type ExecutionContext } from 'ava'
import { findBeyondLimits } from '#shared/data/items/beyond-limits.ts'
import { createCommitter } from '#shared/data/items/commit.ts'
import type { ItemChange, ItemLimits } from '#shared/data/items/item-change.ts'
import { RefusedChange } from '#shared/data/items/refused-change.ts'
import { outcomeOf } from '../../../support/databases/commits.ts'
import { anotherConnection, testDatabase } from '../../../support/databases/database.ts'
import { itemChange, makeList, makeWebhook, testId } from '../../../support/databases/rows.ts'

const atMost = (maxItemsPerList: number): ItemLimits => ({ maxItemsPerList })
const beyond = 'MAX_ITEMS_EXCEEDED'

type At = Awaited<ReturnType<typeof makeList>>

/** So many creates in a list with a limit. */
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

/** How often each outcome came. */
async function outcomesOf(commits: readonly Promise<void>[]): Promise<Record<string, number>> {
  const outcomes = await Promise.all(commits.map(outcomeOf))
  return Object.fromEntries([...Map.groupBy(outcomes, (one) => one)].map(([name, all]) => [name, all.length]))
}

test('of creates that race in several processes exactly as many are stored as the list may have', async (t) => {
  const { db, dataDir, at, stored } = await setUp(t)
  const connections = [db, await anotherConnection(t, dataDir), await anotherConnection(t, dataDir)]
  const committers = connections.map((one) => createCommitter(one, { announce() {} }))
  const commits = committers.flatMap((committer) => creates(at, 20, 25).map((change) => committer.commit(change)))
  t.deepEqual(await outcomesOf(commits), { committed: 25, [beyond]: 35 })
  t.deepEqual(await stored(), { items: 25, counted: 25 })
})

test('units that race are stored whole or not at all, and the first change beyond the limit is named', async (t) => {
  const { db, dataDir, at, stored } = await setUp(t)
  const committers = [db, await anotherConnection(t, dataDir)].map((one) => createCommitter(one, { announce() {} }))
  const commits = committers.flatMap((committer) => [1, 2, 3].map(() => committer.commitAll(creates(at, 8, 20))))
  t.deepEqual(await outcomesOf(commits), { committed: 2, [beyond]: 4 })
  t.deepEqual(await stored(), { items: 16, counted: 16 })
  const error = await t.throwsAsync(committers[0]?.commitAll(creates(at, 8, 20)) ?? Promise.resolve())
  t.true(error instanceof RefusedChange)
  t.like(error, { change: 4, status: 403, details: { limit: 'maxItemsPerList', max: 20 } })
})

test('changes of a list without a limit are stored in the group of those that are refused', async (t) => {
  const { db, at, committer } = await setUp(t)
  const other = await makeList(db)
  const commits = [...creates(at, 4, 2), itemChange(other), itemChange(other)].map((one) => committer.commit(one))
  t.deepEqual(await outcomesOf(commits), { committed: 4, [beyond]: 2 })
})

test('a full list takes changes and deletes, and a unit that leaves it no larger', async (t) => {
  const { at, committer, stored } = await setUp(t)
  const [one, two] = [testId(), testId()]
  for (const itemId of [one, two]) await committer.commit(itemChange(at, { itemId, limits: atMost(2) }))
  t.is(await outcomeOf(committer.commit(itemChange(at, { limits: atMost(2) }))), beyond)
  await committer.commit(itemChange(at, { itemId: one, expectedRevision: 1, limits: atMost(1) }))
  await committer.commitAll([itemChange(at, { limits: atMost(1) }), removal(at, two, 1)])
  t.deepEqual(await stored(), { items: 2, counted: 2 }, 'beyond the limit of a smaller plan, and no larger')
  await committer.commit(removal(at, one, 1))
  t.deepEqual(await stored(), { items: 1, counted: 1 })
})

test('a dry run is told each change beyond the limit, as the list is then', async (t) => {
  const { db, at, committer } = await setUp(t)
  await committer.commitAll(creates(at, 2, 3))
  const refused = await findBeyondLimits(db, creates(at, 3, 3))
  t.deepEqual(
    refused.map(({ name, change }) => [name, change]),
    [
      [beyond, 1],
      [beyond, 2],
    ],
  )
  t.deepEqual(await findBeyondLimits(db, [itemChange(at)]), [])
})
