import test from 'ava'
import { readItemPage } from '#shared/data/item-pages/page.ts'
import { allKeys } from '#shared/domain/item/questions/key-filter.ts'
import type { Question } from '#shared/domain/item/questions/question.ts'
import { addManyItems } from '../../../support/databases/contents/many-items.ts'
import { makeList } from '../../../support/databases/contents/rows.ts'
import { testDatabase } from '../../../support/databases/database.ts'
import { pageRequest } from '../../../support/databases/questions/item-sets.ts'
import { asking } from '../../../support/databases/questions/question-sets.ts'
import { analyze, countRowsRead } from '../../../support/databases/questions/rows-read.ts'

test('however many elements arrays have, a server reads no more than a call may examine', async (t) => {
  const { db: real } = await testDatabase(t)
  const { accountId, listId } = await makeList(real)
  const elements = Array.from({ length: 99 }, (_, n) => `element ${n}`)
  await addManyItems(real, { accountId, listId, count: 600, tag: 'a', elementsOf: () => elements })
  await analyze(real, 'items', 'item_tags', 'index_values', 'index_elements')
  const contains = (text: string): Question => ({
    kind: 'value',
    indexId: listId,
    keys: allKeys,
    texts: [{ kind: 'contains', text }],
    arrays: true,
  })
  const set = asking(listId, { kind: 'or', of: Array.from({ length: 20 }, (_, n) => contains(`nowhere ${n}`)) })
  const maxExamined = 6_000
  const options = { accountId, set, filtered: true, withData: false, maxExamined }
  for (const request of [
    pageRequest({ after: '' }),
    pageRequest({}),
    pageRequest({ order: 'size', after: '' }),
    pageRequest({ order: 'size' }),
  ]) {
    const { db, rowsRead } = countRowsRead(real)
    const reading = readItemPage(db, options, request)
    // The 99 elements of each of three items are examined twenty times.
    if ('after' in request) t.like((await reading).page, { data: [], examined: 3 })
    else t.like(await t.throwsAsync(reading), { name: 'QUESTION_TOO_BROAD' })
    // All 600 items together would need 1,200,000 examinations.
    t.true(rowsRead() <= 5 * maxExamined, `${rowsRead()}: ${JSON.stringify(request)}`)
  }
})

test('the total of conditions in "or" examines only matching elements of arrays', async (t) => {
  const { db: real } = await testDatabase(t)
  const { accountId, listId } = await makeList(real)
  const elements = Array.from({ length: 99 }, (_, n) => `element ${n}`)
  await addManyItems(real, {
    accountId,
    listId,
    count: 400,
    keyOf: (n) => (n % 10 === 0 ? 'few' : 'x'),
    elementsOf: () => elements,
  })
  await analyze(real, 'items', 'index_values', 'index_elements')
  const isKey = (key: string): Question & { kind: 'value' } => ({
    kind: 'value',
    indexId: listId,
    keys: { kind: 'any-of', keys: [key] },
    texts: [],
  })
  const set = asking(listId, { kind: 'or', of: [{ ...isKey('element 7'), arrays: true }, isKey('few')] })
  const { db, rowsRead } = countRowsRead(real)
  const { page } = await readItemPage(db, { accountId, set, filtered: true, withData: false }, pageRequest({}))
  t.like(page, { total: 400 })
  // The 40 items with the key "few" have 4,000 elements.
  t.true(rowsRead() <= 3_900, `${rowsRead()}`)
})
