import test from 'ava'
import { createCommitter } from '#shared/data/items/commit/commit.ts'
import { applyLockedSync, applySync } from '#shared/data/lists/schema-sync.ts'
import { outcomeOf } from '../../../support/databases/commits.ts'
import { itemChange } from '../../../support/databases/contents/rows.ts'
import { anotherConnection, testBackend, testDatabase } from '../../../support/databases/database.ts'
import {
  actor,
  listsNow,
  lockedSync,
  makeBareAccount,
  manyLists,
  prepareSync,
  sync,
} from '../../../support/sync/sync.ts'
import { syncDocument } from '../../../support/sync/sync-world.ts'

const title = { pointer: '/title' }

test('a fault in the last rows of a sync leaves no trace of the first', async (t) => {
  const { db } = await testDatabase(t)
  const accountId = await makeBareAccount(db)
  const { writes } = await prepareSync(db, accountId, syncDocument(manyLists(300, 1, 'asc')))
  const [last] = writes.events.slice(-1)
  if (last) writes.events.push(last)
  t.is(await outcomeOf(applySync({ db, announce() {} }, writes, actor)), 'conflict on list', 'one event twice')
  for (const table of ['lists', 'indexes', 'events', 'event_count_shards']) {
    t.deepEqual(await db.all(`select * from ${table} where account_id = ?`, [accountId]), [], table)
  }
})

test('a plan made before another sync writes nothing at all: list changed', async (t) => {
  const { db } = await testDatabase(t)
  const accountId = await makeBareAccount(db)
  await sync(db, accountId, { lists: { a: {}, b: {} } })
  const document = syncDocument({ lists: { a: { name: 'x' }, b: { name: 'x' }, c: {} } })
  const { writes } = await prepareSync(db, accountId, document)
  await sync(db, accountId, { lists: { b: { description: 'meanwhile' } } })
  t.is(await outcomeOf(applySync({ db, announce() {} }, writes, actor)), 'conflict on list')
  const state = await listsNow(db, accountId, ['a', 'b', 'c'])
  t.like(state.get('a')?.list, { name: 'a', configVersion: 1 })
  t.is(state.has('c'), false)
})

test('a plan made before another sync writes nothing at all: path name taken', async (t) => {
  const { db, dataDir } = await testDatabase(t)
  const accountId = await makeBareAccount(db)
  const { writes } = await prepareSync(db, accountId, syncDocument({ lists: { a: {}, B: {} } }))
  await sync(await anotherConnection(t, dataDir), accountId, { lists: { b: {} } })
  t.is(await outcomeOf(applySync({ db, announce() {} }, writes, actor)), 'conflict on list')
  t.deepEqual([...(await listsNow(db, accountId, ['a', 'b'])).keys()], ['b'])
})

test('a plan made before another sync writes nothing at all: index taken', async (t) => {
  const { db } = await testDatabase(t)
  const accountId = await makeBareAccount(db)
  await sync(db, accountId, { lists: { a: {} } })
  const { writes } = await prepareSync(db, accountId, syncDocument({ lists: { a: { indexes: { i: title } } } }))
  await sync(db, accountId, { lists: { a: { indexes: { I: { pointer: '/other' } } } } })
  t.is(await outcomeOf(applySync({ db, announce() {} }, writes, actor)), 'conflict on list')
})

test('syncs that plan while they hold their lists meet no conflict, and leave none mixed', async (t) => {
  const { db, dataDir } = await testDatabase(t)
  const accountId = await makeBareAccount(db)
  const processes = [db, await anotherConnection(t, dataDir), await anotherConnection(t, dataDir)]
  await sync(db, accountId, { lists: { a: {}, b: {}, c: {} } })
  // Each names two of the three lists, in another order.
  const documents = [['a', 'b'], ['b', 'c'], ['c', 'a']] as const // biome-ignore format: pairs
  for (let round = 0; round < 10; round++) {
    await Promise.all(
      processes.map((one, n) => {
        const name = `${n} in round ${round}`
        const lists = Object.fromEntries(
          (documents[n] ?? []).map((key) => [key, { name, indexes: { [key]: { ...title, name } } }]),
        )
        return lockedSync(one, accountId, { lists })
      }),
    )
  }
  const state = await listsNow(db, accountId, ['a', 'b', 'c'])
  for (const { list, indexes } of state.values()) {
    t.is(indexes[0]?.name, list.name)
    t.is(list.configVersion, 1 + 20)
  }
})

// On SQLite a transaction has the database for itself.
const onServer = testBackend === 'sqlite' ? test.skip : test

onServer('a sync that plans while it holds its lists also holds one that comes into its scope meanwhile', async (t) => {
  const { db, dataDir } = await testDatabase(t)
  const accountId = await makeBareAccount(db)
  await sync(db, accountId, { scope: 'app', lists: { a: {} } })
  const other = await anotherConnection(t, dataDir)
  let statement = 0
  const interrupted: typeof db = {
    ...db,
    transaction: (work) =>
      db.transaction((tx) =>
        work({
          ...tx,
          async all(query, bindings) {
            statement++
            // After the rows were read for the first time; and before what follows when they were read again.
            if (statement === 3) await sync(other, accountId, { scope: 'app', lists: { b: { name: 'first' } } })
            if (statement === 6) await sync(other, accountId, { scope: 'app', lists: { b: { name: 'second' } } })
            return tx.all(query, bindings)
          },
        }),
      ),
  }
  const lists = { accountId, pathKeys: ['a'], managedBy: 'app', actor }
  await applyLockedSync({ db: interrupted, announce() {} }, lists, async (current) => {
    t.is(current.get('b')?.list.name, 'second')
    return null
  })
})

test('an index that is ready at once is not made when an item came in between', async (t) => {
  const { db } = await testDatabase(t)
  const accountId = await makeBareAccount(db)
  await sync(db, accountId, { lists: { a: {} } })
  const listId = (await listsNow(db, accountId, ['a'])).get('a')?.list.id ?? ''
  const { writes } = await prepareSync(db, accountId, syncDocument({ lists: { a: { indexes: { i: title } } } }))
  const renaming = await prepareSync(db, accountId, syncDocument({ lists: { a: { name: 'x' } } }))
  const committer = createCommitter(db, { announce() {} })
  await committer.commit(itemChange({ accountId, listId }))
  t.is(await outcomeOf(applySync({ db, announce() {} }, writes, actor)), 'conflict on list')
  t.is(
    await outcomeOf(applySync({ db, announce() {} }, renaming.writes, actor)),
    'committed',
    'what needs no build goes on',
  )
})

test('an item validated by the settings from before a sync is validated again', async (t) => {
  const { db } = await testDatabase(t)
  const accountId = await makeBareAccount(db)
  await sync(db, accountId, { lists: { a: {} } })
  const listId = (await listsNow(db, accountId, ['a'])).get('a')?.list.id ?? ''
  await sync(db, accountId, { lists: { a: { indexes: { i: title } } } })
  const committer = createCommitter(db, { announce() {} })
  const list = { id: listId, configVersion: 1 }
  t.is(await outcomeOf(committer.commit(itemChange({ accountId, listId }, { list }))), 'conflict on list')
})
