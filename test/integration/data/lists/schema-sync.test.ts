import test from 'ava'
import type { Database } from '#shared/data/database.ts'
import { createCommitter } from '#shared/data/items/commit/commit.ts'
import { countListsByScope, countListsOfScope, exportedLists, findExported } from '#shared/data/lists/exported-lists.ts'
import { applyLockedSync, applySync, readSyncState } from '#shared/data/lists/schema-sync.ts'
import type { CurrentList } from '#shared/domain/sync/state.ts'
import { outcomeOf } from '../../../support/databases/commits.ts'
import { itemChange } from '../../../support/databases/contents/rows.ts'
import { anotherConnection, testBackend, testDatabase } from '../../../support/databases/database.ts'
import { seeded } from '../../../support/load/random-json.ts'
import { randomDocument } from '../../../support/sync/random-documents.ts'
import {
  actor,
  listsNow,
  lockedSync,
  makeBareAccount,
  manyLists,
  prepareSync,
  sync,
} from '../../../support/sync/sync.ts'
import { syncDocument, syncWorld } from '../../../support/sync/sync-world.ts'

const title = { pointer: '/title' }

type EventRow = Record<'stream' | 'type' | 'list_id' | 'account_id' | 'model_id' | 'actor' | 'snapshot', string> & {
  created_at: number
}

/** The same database, which records the reads on it and the writes of its transactions. */
function counted(db: Database): { db: Database; statements: string[] } {
  const statements: string[] = []
  const all: Database['all'] = (query, bindings) => {
    statements.push(String(query))
    return db.all(query, bindings)
  }
  const transaction: Database['transaction'] = (work) =>
    db.transaction((tx) => {
      const run: typeof tx.run = (query, bindings) => {
        statements.push(String(query))
        return tx.run(query, bindings)
      }
      return work({ ...tx, run })
    })
  return { db: { ...db, all, transaction }, statements }
}

test('lists beyond what one request may read are rejected before they are read', async (t) => {
  const { db } = await testDatabase(t)
  const accountId = await makeBareAccount(db)
  await sync(db, accountId, { scope: 'app', lists: { a: { schema: {}, indexes: { i: title } }, b: { schema: {} } } })
  const read = (limits: object, lists: object) =>
    readSyncState(db, { accountId, pathKeys: [], managedBy: null, ...lists }, { ...exact, ...limits })
  const exact = { maxEntries: 3, maxSchemaBytes: 4, unmeasured: 0 }
  for (const lists of [{ pathKeys: ['a', 'b'] }, { managedBy: 'app' }]) {
    t.is((await read({}, lists)).size, 2)
    const message = /^One request can plan for at most /
    await t.throwsAsync(read({ maxEntries: 2 }, lists), { message })
    await t.throwsAsync(read({ maxSchemaBytes: 3 }, lists), { message })
  }
  t.is((await read({ maxEntries: 0, unmeasured: 2 }, { pathKeys: ['a', 'b'] })).size, 2)
})

test('a sync is read back as it was planned', async (t) => {
  const { db } = await testDatabase(t)
  const accountId = await makeBareAccount(db)
  const full = {
    scope: 'MyApp',
    lists: {
      Recipes: {
        name: 'Réc"ipes\n',
        description: "it's",
        tags: ['A', 'b'],
        schema: { title: 'é\u2028', const: '\u0000' },
        readonly: true,
        realtime: true,
        protected: true,
        indexable: false,
        generative: true,
        generativePrompt: '',
        indexes: {
          Title: {
            name: 'T',
            description: 'd',
            tags: ['X'],
            pointer: '/a~1b',
            valueType: 'number',
            alias: true,
            sorting: true,
            filtering: true,
            searching: true,
            defaultOrderDirection: 'desc',
          },
          secret: { pointer: '/s', guard: true },
        },
      },
      plain: {},
    },
  }
  const { writes } = await sync(db, accountId, full)
  const state = await listsNow(db, accountId, ['recipes', 'plain', 'absent'])
  const [recipes, plain] = writes.newLists
  // The ids of a list's words are set when it is stored.
  const { termsId, termsOf, ...rest } = state.get('recipes')?.list ?? t.fail()
  t.deepEqual({ ...rest, termsId: null, termsOf: null }, recipes)
  t.true(termsId !== null && termsOf !== null)
  t.deepEqual(state.get('plain')?.list, plain)
  t.deepEqual(state.get('plain')?.indexes, [])
  const indexes = state.get('recipes')?.indexes.toSorted((a, b) => (a.id < b.id ? -1 : 1))
  t.deepEqual(indexes, writes.newIndexes)
  t.is(state.size, 2)

  const again = await sync(db, accountId, full)
  t.is(again.plan.summary.noChange, 4)
})

test('an update writes the changes and increases the settings version of the list by one', async (t) => {
  const { db } = await testDatabase(t)
  const accountId = await makeBareAccount(db)
  await sync(db, accountId, { lists: { a: { indexes: { i: title } }, b: { indexes: { i: title } }, c: {} } })
  await sync(
    db,
    accountId,
    { lists: { a: { name: 'A' }, b: { indexes: { i: { sorting: true } } }, c: {} } },
    { now: 2_000 },
  )
  const state = await listsNow(db, accountId, ['a', 'b', 'c'])
  t.like(state.get('a')?.list, { name: 'A', updatedAt: 2_000, createdAt: 1_000, configVersion: 2 })
  t.like(state.get('b')?.list, { name: 'b', updatedAt: 1_000, configVersion: 2 })
  t.like(state.get('b')?.indexes[0], { sorting: true, updatedAt: 2_000 })
  t.is(state.get('c')?.list.configVersion, 1)
})

test('each list and index created or changed is in the event log, with its actor', async (t) => {
  const { db } = await testDatabase(t)
  const accountId = await makeBareAccount(db)
  await sync(db, accountId, { lists: { a: { indexes: { i: title } } } })
  await sync(db, accountId, { lists: { a: { name: 'A', indexes: { i: {} } } } }, { now: 2_000 })
  const state = await listsNow(db, accountId, ['a'])
  const events = await db.all<EventRow>('select * from events order by id')
  t.deepEqual(
    events.map(({ stream, type, created_at }) => [stream, type, created_at]),
    [
      ['list', 'list-created', 1_000],
      ['index', 'index-created', 1_000],
      ['list', 'list-updated', 2_000],
    ],
  )
  t.true(events.every(({ list_id, account_id }) => list_id === state.get('a')?.list.id && account_id === accountId))
  t.is(events[1]?.model_id, state.get('a')?.indexes[0]?.id)
  t.deepEqual(JSON.parse(events[2]?.actor ?? ''), actor)
  t.is(JSON.parse(events[2]?.snapshot ?? '').name, 'A')
})

test('a sync of many lists needs one statement for tens of rows or more', async (t) => {
  const { db } = await testDatabase(t)
  const accountId = await makeBareAccount(db)
  const { db: counting, statements } = counted(db)
  await sync(counting, accountId, manyLists(128, 10, 'asc'))
  // Two reads; then lists, their tags, indexes and events in statements of 64 rows, on Postgres of 640; then counts.
  const isPostgres = db.dialect.name === 'postgres'
  t.is(statements.length, isPostgres ? 2 + 1 + 1 + 2 + 3 + 1 : 2 + 2 + 2 + 20 + 22 + 1)
  t.is((await db.get<{ n: number }>('select count(*) as n from indexes'))?.n, 1_280)

  statements.length = 0
  const changed = manyLists(128, 10, 'desc')
  const { plan } = await sync(counting, accountId, changed)
  t.is(plan.summary.update, 1_280)
  // Two reads; then versions of the lists, indexes, events and counts.
  t.is(statements.length, isPostgres ? 2 + 1 + 2 + 2 + 1 : 2 + 1 + 20 + 20 + 1)
})

test('a document that changes nothing writes nothing', async (t) => {
  const { db } = await testDatabase(t)
  const accountId = await makeBareAccount(db)
  await sync(db, accountId, manyLists(3, 3, 'asc'))
  const { db: counting, statements } = counted(db)
  await sync(counting, accountId, manyLists(3, 3, 'asc'))
  t.is(statements.length, 2)
})

test('lists and indexes deleted by a sync are removed with their builds, purged, and in the event log', async (t) => {
  const { db } = await testDatabase(t)
  const accountId = await makeBareAccount(db)
  await sync(db, accountId, { scope: 'app', lists: { a: { indexes: { i: title, j: title } }, b: {}, c: {} } })
  const { plan, writes } = await sync(
    db,
    accountId,
    { scope: 'app', lists: { a: { indexes: { j: {} } }, d: {} } },
    { now: 2_000, prune: true },
  )
  t.like(plan.summary, { delete: 3, create: 1 })
  const state = await listsNow(db, accountId, ['a', 'b', 'c', 'd'])
  t.deepEqual([...state.keys()].sort(), ['a', 'd'])
  t.deepEqual(
    state.get('a')?.indexes.map(({ pathName }) => pathName),
    ['j'],
  )
  t.is(state.get('a')?.list.configVersion, 2)
  const purged = await db.all<{ list_id: string }>('select list_id from list_purges order by list_id')
  t.deepEqual(
    purged.map(({ list_id }) => list_id),
    writes.deletedLists.map(({ id }) => id).sort(),
  )
  t.deepEqual(await db.all('select values_id from index_value_purges'), [
    { values_id: writes.deletedIndexes[0]?.valuesId },
  ])
  const events = await db.all<EventRow>('select * from events where created_at = 2000 order by id')
  t.deepEqual(
    events.map(({ type }) => type),
    ['list-created', 'index-deleted', 'list-deleted', 'list-deleted'],
  )
})

test('a list that was empty when its deletion was planned is not deleted if an item arrived in between', async (t) => {
  const { db } = await testDatabase(t)
  const accountId = await makeBareAccount(db)
  await sync(db, accountId, { scope: 'app', lists: { a: {}, b: {} } })
  const { writes } = await prepareSync(db, accountId, syncDocument({ scope: 'app', lists: { b: {} } }), { prune: true })
  const listId = writes.deletedLists[0]?.id ?? ''
  await createCommitter(db, { announce() {} }).commit(itemChange({ accountId, listId }))
  t.is(await outcomeOf(applySync({ db, announce() {} }, writes, actor)), 'conflict on list')
  t.true((await listsNow(db, accountId, ['a'])).has('a'))
})

test('lists are read by path key, id and scope, each once', async (t) => {
  const { db } = await testDatabase(t)
  const accountId = await makeBareAccount(db)
  const { writes } = await sync(db, accountId, { scope: 'app', lists: { a: { indexes: { i: title } }, b: {} } })
  await sync(db, accountId, { lists: { c: {}, d: {} } })
  const ids = [...writes.newLists.map(({ id }) => id), 'no id']
  const state = await readSyncState(db, { accountId, pathKeys: ['a', 'c'], ids, managedBy: 'app' })
  t.deepEqual([...state.keys()].sort(), ['a', 'b', 'c'])
  t.is(state.get('a')?.indexes.length, 1)
  const stranger = await makeBareAccount(db)
  t.is((await readSyncState(db, { accountId: stranger, pathKeys: ['a'], ids, managedBy: 'app' })).size, 0)
})

test('lists are exported in the order of their path keys, whatever their number', async (t) => {
  const { db } = await testDatabase(t)
  const accountId = await makeBareAccount(db)
  await sync(db, accountId, manyLists(120, 2, 'asc'))
  await sync(db, accountId, { lists: { free: { tags: ['x'] }, other: {} } })
  const set = { accountId, visible: { rest: true, except: [] }, activatedOnly: true, filters: {} }
  const { lists: all } = await findExported(db, set, null)
  t.deepEqual([...(await countListsByScope(db, all))].map(String).sort(), [',2', 'big,120'])
  t.is(await countListsOfScope(db, all, 'big'), 120)
  const exported = await Array.fromAsync(exportedLists(db, all, 'big'))
  const names = exported.map(({ list }) => list.pathName)
  t.deepEqual(names, names.toSorted())
  t.deepEqual([names.length, new Set(exported.map(({ indexes }) => indexes.length))], [120, new Set([2])])
  const tagged = { ...set, filters: { tagged: [['x', 'y']] } }
  const { lists: some, missing } = await findExported(db, tagged, ['free', 'other', 'gone'])
  t.deepEqual(
    (await Array.fromAsync(exportedLists(db, some, null))).map(({ list }) => list.pathName),
    ['free'],
  )
  t.deepEqual(missing, ['other', 'gone'])
})

test('random documents have the same result in the database as in memory, and leave nothing to do', async (t) => {
  const { db } = await testDatabase(t)
  const random = seeded(4_242)
  for (let round = 0; round < 3; round++) {
    const accountId = await makeBareAccount(db)
    const world = syncWorld()
    for (let n = 0; n < 8; n++) {
      const source = randomDocument(random)
      const options = { now: 1_000 + n, prune: source.scope !== undefined }
      const allowed = { prune: options.prune, allowRebuild: true, allowDestructive: true }
      const { blockedBy } = world.plan(source, allowed)
      t.is((await prepareSync(db, accountId, syncDocument(source), options)).plan.blockedBy?.name, blockedBy?.name)
      if (blockedBy) continue
      world.sync(source, options.now, allowed)
      await sync(db, accountId, source, options)
      const stored = await listsNow(db, accountId, ['a', 'b', 'c', 'd'])
      t.deepEqual(contentsOf(stored), contentsOf(world.lists), JSON.stringify(source))
      const { writes } = await prepareSync(db, accountId, syncDocument(source), options)
      t.deepEqual([writes.events, writes.touchedLists], [[], []])
    }
  }
})

/** Lists with their indexes, without random ids. */
function contentsOf(lists: ReadonlyMap<string, CurrentList>) {
  const settings = ({ list, indexes }: CurrentList) => ({
    ...list,
    id: '',
    accountId: '',
    indexes: indexes
      .map((index) => ({ ...index, id: '', listId: '', accountId: '', valuesId: '' }))
      .toSorted((one, other) => (one.pathName < other.pathName ? -1 : 1)),
  })
  return [...lists.values()].map(settings).toSorted((one, other) => (one.pathName < other.pathName ? -1 : 1))
}

test('accounts have separate lists under the same path names', async (t) => {
  const { db } = await testDatabase(t)
  const [one, two] = [await makeBareAccount(db), await makeBareAccount(db)]
  await sync(db, one, { scope: 'x', lists: { a: { name: 'one' } } })
  const { plan } = await sync(db, two, { scope: 'y', lists: { a: { name: 'two' } } })
  t.is(plan.summary.create, 1)
  t.is((await listsNow(db, one, ['a'])).get('a')?.list.name, 'one')
})

test('an error in the last rows of a sync leaves no trace of the first', async (t) => {
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

test('a plan from before another sync writes nothing at all: list changed', async (t) => {
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

test('a plan from before another sync writes nothing at all: path name in use', async (t) => {
  const { db, dataDir } = await testDatabase(t)
  const accountId = await makeBareAccount(db)
  const { writes } = await prepareSync(db, accountId, syncDocument({ lists: { a: {}, B: {} } }))
  await sync(await anotherConnection(t, dataDir), accountId, { lists: { b: {} } })
  t.is(await outcomeOf(applySync({ db, announce() {} }, writes, actor)), 'conflict on list')
  t.deepEqual([...(await listsNow(db, accountId, ['a', 'b'])).keys()], ['b'])
})

test('a plan from before another sync writes nothing at all: index in use', async (t) => {
  const { db } = await testDatabase(t)
  const accountId = await makeBareAccount(db)
  await sync(db, accountId, { lists: { a: {} } })
  const { writes } = await prepareSync(db, accountId, syncDocument({ lists: { a: { indexes: { i: title } } } }))
  await sync(db, accountId, { lists: { a: { indexes: { I: { pointer: '/other' } } } } })
  t.is(await outcomeOf(applySync({ db, announce() {} }, writes, actor)), 'conflict on list')
})

test('syncs that plan while they lock their lists meet no conflict, and leave no mixed state', async (t) => {
  const { db, dataDir } = await testDatabase(t)
  const accountId = await makeBareAccount(db)
  const processes = [db, await anotherConnection(t, dataDir), await anotherConnection(t, dataDir)]
  await sync(db, accountId, { lists: { a: {}, b: {}, c: {} } })
  // Each document names two of the three lists, in a different order.
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

// SQLite runs one transaction at a time.
const onServer = testBackend === 'sqlite' ? test.skip : test

onServer('a sync that plans while its lists are locked also locks one that enters its scope', async (t) => {
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
            // Statement 3 follows the first read of the lists, and statement 6 the second read.
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

test('an index that is ready at once is not created if an item arrived in between', async (t) => {
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
    'a sync that needs no build succeeds',
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
