import test, { type ExecutionContext } from 'ava'
import { newId } from '#shared/crypto/ids.ts'
import { Conflict } from '#shared/data/conflict.ts'
import type { Database } from '#shared/data/database.ts'
import { buildBatch } from '#shared/data/index-builds/batch.ts'
import {
  endBuild,
  findBuildProgress,
  hasIndexWork,
  type IndexBuild,
  readBuilds,
} from '#shared/data/index-builds/builds.ts'
import { nextValuePurge, purgeValues } from '#shared/data/index-builds/value-purge.ts'
import { writeIndexChange } from '#shared/data/lists/index-changes.ts'
import { findList } from '#shared/data/lists/lists.ts'
import { type IndexChange, rebuilt, withBuild } from '#shared/domain/list/index-build.ts'
import type { IndexBody, ListIndex } from '#shared/domain/list/index-fields.ts'
import { newIndex } from '#shared/domain/list/index-settings.ts'
import { outcomeOf } from '../../../support/databases/commits.ts'
import { runBuilds } from '../../../support/databases/contents/index-jobs.ts'
import { expectedValues, indexWorkOf, storeItems, valuesOf } from '../../../support/databases/contents/indexed-items.ts'
import { makeList } from '../../../support/databases/contents/rows.ts'
import { anotherConnection, testDatabase } from '../../../support/databases/database.ts'

const size = { items: 10, bytes: 1_000_000 }

/** A list of items with these slugs, and functions that change its indexes as requests do. */
async function world(t: ExecutionContext, slugs: readonly unknown[]) {
  const { db, dataDir } = await testDatabase(t)
  const at = await makeList(db)
  const ids = await storeItems(
    db,
    at,
    slugs.map((slug) => ({ slug })),
  )
  const list = async () => {
    const found = await findList(db, at.accountId, at.listId)
    if (!found) throw new Error('the list is gone')
    return found
  }
  const change = async (indexChange: IndexChange) => {
    const current = await list()
    await db.transaction((tx) => writeIndexChange(tx, current, indexChange))
  }
  const create = async (body: IndexBody): Promise<ListIndex> => {
    const { itemCount } = await list()
    const created = newIndex({ pathName: 'slug', pointer: '/slug', ...body }, { id: newId(), ...at, at: 0 })
    const index = withBuild(null, created, { items: itemCount, newId })
    await change({ before: null, after: index })
    return index
  }
  return { db, dataDir, at, ids, list, change, create }
}

async function onlyBuild(db: Database): Promise<IndexBuild> {
  const [build, ...others] = await readBuilds(db, 10)
  if (!build || others.length > 0) throw new Error('not one build')
  return build
}

const slugs = (count: number) => Array.from({ length: count }, (_, n) => `S${n}`)

test('a build continues after its last batch, whichever process runs it', async (t) => {
  const { db, dataDir, create, at } = await world(t, slugs(25))
  await db.run('update items set activated = 0 where created_at < 3')
  const { id } = await create({ alias: true })
  t.true(await hasIndexWork(db))
  const other = await anotherConnection(t, dataDir)
  const seen: number[] = []
  for (const one of [db, other, db, other]) {
    const build = await onlyBuild(one)
    seen.push(build.done)
    t.is((await buildBatch(one, build, size)).status, 'next')
    t.is((await valuesOf(db, id)).length, (await onlyBuild(one)).done)
  }
  t.deepEqual(seen, [0, 10, 20, 22])
  t.deepEqual(await findBuildProgress(db, id), { done: 25, total: 25 })
  const build = await onlyBuild(db)
  t.deepEqual(await buildBatch(db, build, size), { status: 'complete' })
  await endBuild({ db, announce() {} }, build, { failure: null, eventId: newId(), at: 7 })
  t.false(await hasIndexWork(db))
  t.deepEqual(await valuesOf(db, id), await expectedValues(db, id))
  const [event] = await db.all('select type, list_id, actor, attachments from events')
  t.deepEqual(event, { type: 'index-built', list_id: at.listId, actor: 'null', attachments: '{"items":25}' })
})

test('a builder that was overtaken writes nothing: neither a batch nor the end', async (t) => {
  const { db, dataDir, create, list } = await world(t, slugs(25))
  await create({})
  const frozen = await anotherConnection(t, dataDir)
  const early = await onlyBuild(frozen)
  await buildBatch(db, early, size)
  const { configVersion } = await list()
  const before = await onlyBuild(db)
  t.is(await outcomeOf(buildBatch(frozen, early, size).then(() => {})), 'conflict on build')
  const end = { failure: null, eventId: newId(), at: 0 }
  t.is(await outcomeOf(endBuild({ db: frozen, announce() {} }, early, end)), 'conflict on build')
  t.deepEqual(await onlyBuild(db), before)
  t.is((await list()).configVersion, configVersion)
  t.deepEqual(await db.all('select id from events'), [])
})

test('a batch that was computed before a change of the index is not written', async (t) => {
  const { db, create, change } = await world(t, slugs(5))
  const index = await create({ alias: true })
  const building = await onlyBuild(db)
  await change({ before: index, after: { ...index, alias: false } })
  t.is(await outcomeOf(buildBatch(db, building, size).then(() => {})), 'conflict on build')
  await runBuilds(db)
  t.deepEqual(await valuesOf(db, index.id), await expectedValues(db, index.id))
})

test('an item that is written between the read of a batch and its transaction keeps the values of that write', async (t) => {
  const { db, create, ids } = await world(t, slugs(3))
  const { id } = await create({})
  const racing: Database = {
    ...db,
    async transaction(work) {
      await db.run(`update items set data = '{"slug":"new"}', revision = 2 where id = ?`, [ids[1]])
      await db.run('delete from items where id = ?', [ids[2]])
      return db.transaction(work)
    },
  }
  await buildBatch(racing, await onlyBuild(db), size)
  t.deepEqual(
    (await valuesOf(db, id)).map(({ item_id, filter_key }) => [item_id, filter_key]),
    [[ids[0], 's0']],
  )
})

test('a batch has no more bytes of data than allowed, but always at least one item', async (t) => {
  const { db, create } = await world(t, Array(5).fill('x'.repeat(1_000)))
  await create({})
  await buildBatch(db, await onlyBuild(db), { items: 10, bytes: 10 })
  t.is((await onlyBuild(db)).done, 1)
  await buildBatch(db, await onlyBuild(db), { items: 10, bytes: 3_500 })
  t.is((await onlyBuild(db)).done, 4)
})

test('duplicate aliases make the build fail, in one batch or in two', async (t) => {
  for (const values of [
    ['a', 'b', 'a'],
    [...slugs(12), 'S0'],
  ]) {
    const { db, create, ids } = await world(t, values)
    const { id } = await create({ alias: true })
    await runBuilds(db)
    const index = await db.get<{ build_status: string }>('select build_status from indexes where id = ?', [id])
    t.is(index?.build_status, 'failed')
    const event = await db.get<{ type: string; attachments: string }>('select type, attachments from events')
    t.is(event?.type, 'index-build-failed')
    const { duplicates } = JSON.parse(event?.attachments ?? '')
    t.deepEqual(
      duplicates.map(({ itemIds }: { itemIds: string[] }) => itemIds.toSorted()),
      [[ids[0], ids.at(-1)]],
    )
    t.is((await indexWorkOf(db)).builds, 0)
  }
})

test('an alias that the other item no longer has does not make the build fail', async (t) => {
  const { db, create, ids } = await world(t, ['a', 'b'])
  const { id, valuesId } = await create({ alias: true })
  const taken = { index_id: valuesId, item_id: ids[1], order_key: 'a', filter_key: 'a', alias_hash: sha256OfA }
  await db.run(db.build('index_values').insert(taken))
  const racing: Database = {
    ...db,
    async transaction(work) {
      try {
        return await db.transaction(work)
      } catch (error) {
        await db.run('delete from index_values where item_id = ?', [ids[1]])
        throw error
      }
    },
  }
  t.is((await buildBatch(racing, await onlyBuild(db), { items: 1, bytes: 10 })).status, 'next')
  await runBuilds(db)
  t.deepEqual(await valuesOf(db, id), await expectedValues(db, id))
})

const sha256OfA = 'ca978112ca1bbdcafac231b39a23dc4da786eff8147c4e72b9807785afee48bb'

test('another pointer stores its values separately, so that old aliases block no item; the old ones are purged', async (t) => {
  const { db, create, change, at } = await world(t, [])
  const ids = await storeItems(db, at, [
    { slug: 'a', other: 'b' },
    { slug: 'b', other: 'a' },
  ])
  const index = await create({ alias: true })
  await runBuilds(db)
  const ready: ListIndex = { ...index, buildStatus: 'ready' }
  const after = withBuild(ready, { ...ready, pointer: '/other' }, { items: 2, newId })
  await change({ before: ready, after })
  t.deepEqual(await indexWorkOf(db), { builds: 1, purges: 1, values: 2 })
  await runBuilds(db)
  t.deepEqual(
    (await valuesOf(db, index.id)).map(({ item_id, filter_key }) => [item_id, filter_key]),
    [
      [ids[0], 'b'],
      [ids[1], 'a'],
    ],
  )
  t.deepEqual(await indexWorkOf(db), { builds: 0, purges: 0, values: 0 })
})

test('values are purged in batches, and nothing else', async (t) => {
  const { db, create, change } = await world(t, slugs(25))
  const [gone, kept] = [await create({}), await create({ pathName: 'kept' })]
  await runBuilds(db)
  await change({ before: { ...gone, buildStatus: 'ready' }, after: null })
  const { deleted, purge } = await purgeAll(db, 10)
  t.deepEqual(deleted, [10, 10, 5])
  t.deepEqual(await indexWorkOf(db), { builds: 0, purges: 0, values: 0 })
  t.is(purge?.valuesId, gone.valuesId)
  t.is((await valuesOf(db, kept.id)).length, 25)
})

test('a purge continues after its last batch, whatever the values are and whether there are any', async (t) => {
  const values = [...slugs(4), ...Array(5).fill(undefined), ...Array(6).fill('same')]
  const { db, create, change, ids } = await world(t, values)
  const gone = await create({})
  await runBuilds(db)
  for (const [n, [activated, readonly]] of [
    [1, 1],
    [0, 0],
    [0, 1],
  ].entries()) {
    const some = ids.filter((_, position) => position % 4 === n)
    for (const id of some) {
      await db.run('update index_values set activated = ?, readonly = ? where item_id = ?', [activated, readonly, id])
    }
  }
  await change({ before: { ...gone, buildStatus: 'ready' }, after: null })
  const { deleted } = await purgeAll(db, 2)
  t.is(
    deleted.reduce((sum, count) => sum + count, 0),
    values.length,
  )
  t.deepEqual(await indexWorkOf(db), { builds: 0, purges: 0, values: 0 })
})

test('an index is marked ready without a build only while the list has no items', async (t) => {
  const { db, at, list, change } = await world(t, [])
  const empty = await list()
  await storeItems(db, at, ['x'])
  const created = newIndex({ pathName: 'slug', pointer: '' }, { id: newId(), ...at, at: 0 })
  const write = (index: ListIndex) =>
    outcomeOf(db.transaction((tx) => writeIndexChange(tx, empty, { before: null, after: index })))
  t.is(await write(withBuild(null, created, { items: 0, newId })), 'conflict on list')
  t.is(await write(withBuild(null, created, { items: 1, newId })), 'committed')
  t.is(await write({ ...created, id: newId() }), 'conflict on list')
  await t.throwsAsync(change({ before: null, after: rebuilt(created, { items: 0, newId }) }), { instanceOf: Conflict })
})

test('a build with an error is left for the next round', async (t) => {
  const { db, create, ids } = await world(t, slugs(3))
  const { id } = await create({})
  await db.run("update items set data = 'not JSON' where id = ?", [ids[0]])
  await runBuilds(db)
  t.is((await onlyBuild(db)).done, 0)
  await db.run(`update items set data = '{"slug":"S0"}' where id = ?`, [ids[0]])
  await runBuilds(db)
  t.deepEqual(await valuesOf(db, id), await expectedValues(db, id))
})

/** Purges the values that belong to no index, as the job does. @returns how many each batch deleted, and the first purge */
async function purgeAll(db: Database, maxItems: number) {
  const [deleted, purge]: [number[], Awaited<ReturnType<typeof nextValuePurge>>] = [[], await nextValuePurge(db)]
  for (let next = purge; next; ) {
    const batch = await purgeValues(db, next, maxItems)
    if (batch.more) deleted.push(batch.rows)
    next = batch.more ? { ...next, from: batch.position } : await nextValuePurge(db)
  }
  return { deleted, purge }
}
