import test from 'ava'
import { createCommitter } from '#shared/data/items/commit/commit.ts'
import { createItemReader } from '#shared/data/items/item-reader.ts'
import { findItemByAlias, findItemsByAlias } from '#shared/data/items/items.ts'
import { existingListIds, findList, findListVersion } from '#shared/data/lists/lists.ts'
import { itemChange, makeList, testId, testItem } from '../../../support/databases/contents/rows.ts'
import { testDatabase } from '../../../support/databases/database.ts'
import { makeIdentity } from '../../../support/identity/identities.ts'

const alias = (text: string) => ({
  indexId: 'index-1',
  numberValue: null,
  orderKey: text,
  filterKey: text,
  aliasText: text,
})

test('an item is read as it was written, with the version of its list, by id and by alias', async (t) => {
  const { db } = await testDatabase(t)
  const at = await makeList(db)
  const committer = createCommitter(db, { announce() {} })
  const itemId = testId()
  const item = { ...testItem(at, itemId, 1), tags: ['a', 'b'], description: 'É', readonly: true }
  await committer.commit(itemChange(at, { itemId, after: item, indexValues: [alias('Soup')] }))
  const owner = { accountId: at.accountId, listId: at.listId }
  t.deepEqual(await createItemReader(db)({ ...owner, itemId }), { configVersion: 1, item })
  t.deepEqual(await findItemByAlias(db, { ...owner, indexId: 'index-1', alias: 'Soup' }), { configVersion: 1, item })
})

test('an alias is exact, and a look-up without a result still returns the version of the list', async (t) => {
  const { db } = await testDatabase(t)
  const at = await makeList(db)
  const committer = createCommitter(db, { announce() {} })
  await committer.commit(itemChange(at, { indexValues: [alias('Soup')] }))
  const owner = { accountId: at.accountId, listId: at.listId, indexId: 'index-1' }
  const nothing = { configVersion: 1, item: null }
  for (const wrong of ['soup', 'Soup ', 'Sou', '', 'Soup\u0000']) {
    t.deepEqual(await findItemByAlias(db, { ...owner, alias: wrong }), nothing)
  }
  t.deepEqual(await findItemByAlias(db, { ...owner, indexId: 'index-2', alias: 'Soup' }), nothing)
  t.deepEqual(await createItemReader(db)({ ...owner, itemId: testId() }), nothing)
})

test('items are read by several aliases at once, only those of the list', async (t) => {
  const { db } = await testDatabase(t)
  const [at, elsewhere] = [await makeList(db), await makeList(db)]
  const committer = createCommitter(db, { announce() {} })
  const [soup, stew] = [testId(), testId()]
  await committer.commit(itemChange(at, { itemId: soup, indexValues: [alias('Soup')] }))
  await committer.commit(itemChange(at, { itemId: stew, indexValues: [alias('Stew')] }))
  await committer.commit(itemChange(elsewhere, { indexValues: [alias('Other')] }))
  const key = { ...at, indexId: 'index-1' }
  const found = await findItemsByAlias(db, { ...key, aliases: ['Stew', 'stew', 'Soup', 'Other'] })
  t.is(found?.configVersion, 1)
  const byAlias = [...(found?.items ?? [])].map(([name, { id }]) => [name, id])
  t.deepEqual(byAlias.toSorted(), [
    ['Soup', soup],
    ['Stew', stew],
  ])
  t.deepEqual(await findItemsByAlias(db, { ...key, aliases: ['nothing'] }), { configVersion: 1, items: new Map() })
  t.is(await findItemsByAlias(db, { ...key, accountId: elsewhere.accountId, aliases: ['Soup'] }), null)
})

test("another account's list and items are not found, whatever their names", async (t) => {
  const { db } = await testDatabase(t)
  const [mine, theirs] = [await makeList(db), await makeList(db)]
  const committer = createCommitter(db, { announce() {} })
  const itemId = testId()
  await committer.commit(itemChange(theirs, { itemId, indexValues: [alias('Soup')] }))
  t.is(await findList(db, mine.accountId, theirs.listId), null)
  t.is((await findList(db, mine.accountId, 'recipes'))?.id, mine.listId)
  t.is(await createItemReader(db)({ accountId: mine.accountId, listId: theirs.listId, itemId }), null)
  t.is((await createItemReader(db)({ accountId: mine.accountId, listId: mine.listId, itemId }))?.item, null)
  const byAlias = { accountId: mine.accountId, listId: mine.listId, indexId: 'index-1', alias: 'Soup' }
  t.is((await findItemByAlias(db, byAlias))?.item, null)
  const found = await existingListIds(db, { accountId: mine.accountId, ids: [mine.listId, theirs.listId, 'nothing'] })
  t.deepEqual([...found], [mine.listId])
})

test('a list is found by path name ignoring case, and by its id before a path name that looks like it', async (t) => {
  const { db } = await testDatabase(t)
  const { accountId, listId } = await makeList(db)
  const impostor = testId()
  const { tags_unindexed: _computed, ...row } = (await db.get('select * from lists where id = ?', [listId])) ?? {}
  await db.run(db.build('lists').insert({ ...row, id: impostor, path_name: listId.toUpperCase(), path_key: listId }))
  t.is((await findList(db, accountId, 'RECIPES'))?.id, listId)
  t.is((await findList(db, accountId, listId))?.id, listId)
  t.deepEqual(await findListVersion(db, accountId, listId), { id: listId, configVersion: 1 })
  t.is(await findListVersion(db, accountId, 'nothing'), null)
})

test('the owner of an item is read with it, by its current name; a deleted identity is not an owner', async (t) => {
  const { db } = await testDatabase(t)
  const at = await makeList(db)
  const committer = createCommitter(db, { announce() {} })
  const { identityId, displayName } = await makeIdentity(db, { accountId: at.accountId })
  const itemId = testId()
  const identity = { id: identityId, displayName: 'as the session remembers it' }
  await committer.commit(
    itemChange(at, { itemId, after: { ...testItem(at, itemId, 1), identity }, indexValues: [alias('Soup')] }),
  )
  const owner = { accountId: at.accountId, listId: at.listId }
  const owners = async () => [
    (await createItemReader(db)({ ...owner, itemId }))?.item?.identity,
    (await findItemByAlias(db, { ...owner, indexId: 'index-1', alias: 'Soup' }))?.item?.identity,
  ]
  t.deepEqual(await owners(), [
    { id: identityId, displayName },
    { id: identityId, displayName },
  ])
  await db.run("update identities set display_name = 'Grace'")
  t.deepEqual(await owners(), [
    { id: identityId, displayName: 'Grace' },
    { id: identityId, displayName: 'Grace' },
  ])
  await db.run('delete from identities')
  t.deepEqual(await owners(), [null, null])
})
