import test from 'ava'
import type { Database } from '#shared/data/database.ts'
import { findTermBuildProgress } from '#shared/data/index-builds/term-builds.ts'
import { repairTerms } from '#shared/data/lists/list-terms.ts'
import { beginTermBuilds } from '#shared/data/migrations/025-item-terms.ts'
import { foldTerms } from '#shared/data/migrations/033-folded-terms.ts'
import { runBuilds } from '../../../support/databases/contents/index-jobs.ts'
import { storeItems } from '../../../support/databases/contents/indexed-items.ts'
import { testDatabase } from '../../../support/databases/database.ts'
import { searchedList, storedWords } from '../../../support/search/searched-list.ts'

const builds = async (db: Database) =>
  (await db.all('select list_id, done, total from term_builds')).map(({ list_id, done, total }) => [
    list_id,
    Number(done),
    Number(total),
  ])

test('an upgrade builds the words of lists with searching indexes, and of no others', async (t) => {
  const { db } = await testDatabase(t)
  const there = await searchedList(db, ['title'])
  const other = await searchedList(db, [])
  const [id] = await storeItems(db, there.at, [{ title: 'Soup' }])
  await storeItems(db, other.at, [{ title: 'Stew' }])
  await db.run('update lists set terms_id = null, terms_of = null')
  const { after } = await db.transaction((tx) => beginTermBuilds(tx, { after: null, limit: 10 }))
  t.deepEqual(await builds(db), [[there.at.listId, 0, 1]])
  t.is((await db.transaction((tx) => beginTermBuilds(tx, { after, limit: 10 }))).after, null)
  const { termsId } = await there.terms()
  t.deepEqual(await findTermBuildProgress(db, termsId), { done: 0, total: 1 })
  await runBuilds(db)
  t.deepEqual(await storedWords(db), { [String(id)]: 'soup 1' })
  t.deepEqual(await builds(db), [])
  t.is(await findTermBuildProgress(db, termsId), null)
  t.is((await other.list()).termsId, null)
})

test('an upgrade rebuilds words with the old folding, and purges the old ones', async (t) => {
  const { db } = await testDatabase(t)
  const there = await searchedList(db, ['title'])
  const other = await searchedList(db, [])
  const id = await there.write({ title: 'Żółć' })
  await db.run("update item_terms set term = 'zołc' where term <> ''")
  const before = await there.list()
  const { after } = await db.transaction((tx) => foldTerms(tx, { after: null, limit: 10 }))
  t.is((await db.transaction((tx) => foldTerms(tx, { after, limit: 10 }))).after, null)
  const now = await there.list()
  t.deepEqual([now.configVersion, now.termsId !== before.termsId], [before.configVersion + 1, true])
  t.deepEqual(await builds(db), [[there.at.listId, 0, 1]])
  t.deepEqual((await other.list()).configVersion, 1)
  await runBuilds(db)
  t.deepEqual(await storedWords(db), { [id]: 'zolc 1' })
  t.deepEqual(await db.all('select terms_id from term_purges'), [])
})

test('words indexed by an older version are repaired: once, and under the next version of the settings', async (t) => {
  const { db } = await testDatabase(t)
  const there = await searchedList(db, ['title', 'secret'])
  const id = await there.write({ title: 'Soup', secret: 'Canary' })
  const before = await there.list()
  await repairTerms(db, there.at.listId)
  t.deepEqual(await there.list(), before)
  await db.run("update indexes set searching = 0, guard = 1 where path_name = 'secret'")
  await repairTerms(db, there.at.listId)
  const after = await there.list()
  t.deepEqual([after.configVersion, after.termsId !== before.termsId], [before.configVersion + 1, true])
  t.deepEqual(await builds(db), [[there.at.listId, 0, 1]])
  await runBuilds(db)
  t.deepEqual(await storedWords(db), { [id]: 'soup 1' })
  await repairTerms(db, there.at.accountId)
})

test('a build whose indexes an earlier version has changed starts over', async (t) => {
  const { db } = await testDatabase(t)
  const there = await searchedList(db, ['title'])
  const [id] = await storeItems(db, there.at, [{ title: 'Soup', body: 'Hot' }])
  const body = await there.addIndex('body')
  await db.run('update indexes set activated = 0 where id = ?', [body.id])
  await runBuilds(db)
  t.deepEqual(await storedWords(db), { [String(id)]: 'soup 1' })
  t.deepEqual(await builds(db), [])
})
