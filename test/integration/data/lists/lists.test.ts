import test from 'ava'
import { findListsNamed, readIndexesOf } from '#shared/data/lists/lists.ts'
import { addList } from '../../../support/databases/contents/lists.ts'
import { makeList, testId } from '../../../support/databases/contents/rows.ts'
import { testDatabase } from '../../../support/databases/database.ts'

test('lists are found by ids and by path names, ignoring case, only in their account', async (t) => {
  const { db } = await testDatabase(t)
  const { accountId, listId } = await makeList(db)
  const refs = [listId, 'Recipes', 'unknown', testId()]
  const found = await findListsNamed(db, { accountId, refs })
  t.deepEqual(
    [...found].map(([ref, { id }]) => [ref, id]),
    [
      [listId, listId],
      ['Recipes', listId],
    ],
  )
  t.is((await findListsNamed(db, { accountId: testId(), refs })).size, 0)
  t.is((await findListsNamed(db, { accountId, refs: [] })).size, 0)
})

test('the indexes of several lists are read at once, and none of other lists', async (t) => {
  const { db } = await testDatabase(t)
  const { accountId } = await makeList(db)
  const indexes = (name: string) => [{ pathName: name, pointer: `/${name}` }]
  const [one, two] = [
    await addList(db, accountId, { pathName: 'one', indexes: indexes('a') }),
    await addList(db, accountId, { pathName: 'two', indexes: indexes('b') }),
  ]
  await addList(db, accountId, { pathName: 'three', indexes: indexes('c') })
  const found = await readIndexesOf(db, { accountId, listIds: [one, two] })
  t.deepEqual(found.map(({ pathName }) => pathName).toSorted(), ['a', 'b'])
  t.deepEqual(await readIndexesOf(db, { accountId, listIds: [] }), [])
})
