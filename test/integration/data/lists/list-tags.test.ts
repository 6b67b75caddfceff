import test, { type ExecutionContext } from 'ava'
import type { Database } from '#shared/data/database.ts'
import { removeList, updateList } from '#shared/data/lists/list-changes.ts'
import { type ListSet, readListPage } from '#shared/data/lists/list-page.ts'
import { findList } from '#shared/data/lists/lists.ts'
import type { NumberedPage } from '#shared/data/pages/page.ts'
import type { List } from '#shared/domain/list/fields.ts'
import { modifyList } from '../../../support/databases/contents/lists.ts'
import { testDatabase } from '../../../support/databases/database.ts'
import { makeBareAccount, sync } from '../../../support/sync/sync.ts'

async function world(t: ExecutionContext) {
  const { db } = await testDatabase(t)
  const accountId = await makeBareAccount(db)
  await sync(db, await makeBareAccount(db), { lists: { others: { tags: ['sweet'] } } })
  await sync(db, accountId, {
    scope: 'app',
    lists: { cakes: { tags: ['sweet', 'baked'] }, pies: { tags: ['baked'] }, soups: { tags: ['hot'] }, rest: {} },
  })
  return { db, accountId }
}

/** The path names of the lists that have a tag of each group. */
async function tagged(db: Database, accountId: string, groups: string[][], set: Partial<ListSet> = {}) {
  const filters = { tagged: groups }
  const all = { accountId, visible: { rest: true, except: [] }, activatedOnly: false, filters, ...set }
  const request = { limit: 20, direction: 'asc', filters: '', order: 'name', page: 1 } as const
  const { data, total } = (await readListPage(db, all, request)) as NumberedPage<List>
  return total === data.length ? data.map(({ pathName }) => pathName) : { data, total }
}

async function listOf(db: Database, accountId: string, pathName: string) {
  const list = await findList(db, accountId, pathName)
  if (!list) throw new Error(`no list ${pathName}`)
  return list
}

test('lists are found by their tags, whichever version has written them', async (t) => {
  const { db, accountId } = await world(t)
  const find = (...groups: string[][]) => tagged(db, accountId, groups)
  t.deepEqual(await find(['sweet']), ['cakes'])
  t.deepEqual(await find(['baked']), ['cakes', 'pies'])
  t.deepEqual(await find(['hot', 'sweet']), ['cakes', 'soups'])
  t.deepEqual(await find(['baked', 'hot'], ['sweet']), ['cakes'])
  t.deepEqual(await find(['nothing']), [])

  const pies = await listOf(db, accountId, 'pies')
  await db.transaction((tx) => updateList(tx, { ...pies, tags: ['hot'] }))
  t.deepEqual(await find(['baked']), ['cakes'])
  t.deepEqual(await find(['hot']), ['pies', 'soups'])
  await sync(db, accountId, { scope: 'app', lists: { soups: { tags: [] }, cakes: { tags: ['hot', 'sweet'] } } })
  t.deepEqual(await find(['hot']), ['cakes', 'pies'])
  const cakes = await listOf(db, accountId, 'cakes')
  await db.transaction((tx) => removeList(tx, cakes, 0))
  t.deepEqual(await find(['sweet'], ['hot']), [])
  await sync(db, accountId, { scope: 'app', lists: { soups: {} } }, { prune: true })
  const rows = await db.all<{ tag: string }>('select tag from list_tags where account_id = ?', [accountId])
  t.deepEqual(
    rows.map(({ tag }) => tag),
    ['app'],
    'the remaining tag is that of the scope',
  )
})

test('a list whose tags an older version has changed is checked itself, until the next change', async (t) => {
  const { db, accountId } = await world(t)
  const find = (...groups: string[][]) => tagged(db, accountId, groups)
  const { id } = await listOf(db, accountId, 'rest')
  await modifyList(db, id, { tags: '["baked"]' })
  await modifyList(db, (await listOf(db, accountId, 'cakes')).id, { tags: '["hot"]' })
  t.deepEqual(await find(['baked']), ['pies', 'rest'])
  t.deepEqual(await find(['hot']), ['cakes', 'soups'])
  t.deepEqual(await find(['sweet']), [])
  const rest = await listOf(db, accountId, 'rest')
  await db.transaction((tx) => updateList(tx, rest))
  t.deepEqual(await find(['baked']), ['pies', 'rest'])
  const unindexed = await db.all('select id from lists where account_id = ? and tags_unindexed = 1', [accountId])
  t.is(unindexed.length, 1)
})

test('the rules of a token decide, however its lists are found', async (t) => {
  const { db, accountId } = await world(t)
  const { id } = await listOf(db, accountId, 'pies')
  const find = (visible: ListSet['visible']) => tagged(db, accountId, [['baked']], { visible, activatedOnly: true })
  t.deepEqual(await find({ rest: false, except: [id] }), ['pies'])
  t.deepEqual(await find({ rest: true, except: [id] }), ['cakes'])
  t.deepEqual(await find({ rest: false, except: [] }), [])
})
