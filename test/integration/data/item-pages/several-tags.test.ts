import test from 'ava'
import { visibleItems } from '#shared/data/item-pages/item-set.ts'
import { type ItemPageRequest, readItemPage } from '#shared/data/item-pages/page.ts'
import { createCommitter } from '#shared/data/items/commit/commit.ts'
import type { CursorPage } from '#shared/data/pages/page.ts'
import type { Item } from '#shared/domain/item/item.ts'
import { itemChange, makeList, testIdAt, testItem } from '../../../support/databases/contents/rows.ts'
import { testDatabase } from '../../../support/databases/database.ts'

test('however few rows a call examines, an item that has several of the tags is shown once', async (t) => {
  const { db } = await testDatabase(t)
  const at = await makeList(db)
  const committer = createCommitter(db, { announce() {} })
  const tagsOf = (n: number) => [['red', 'blue'], ['blue'], ['green', 'red', 'blue'], []][n % 4] ?? []
  const items = Array.from({ length: 40 }, (_, n) => ({
    ...testItem(at, testIdAt(n), 1),
    createdAt: n,
    tags: tagsOf(n),
  }))
  await Promise.all(items.map((after) => committer.commit(itemChange(at, { itemId: after.id, after }))))
  const ids = items.filter(({ tags }) => tags.length > 0).map(({ id }) => id)
  const set = { ...visibleItems(at.listId, { kind: 'all' }, null), tagged: [['red', 'blue']] }
  for (const direction of ['asc', 'desc'] as const)
    for (let maxExamined = 2; maxExamined <= 30; maxExamined++) {
      const options = { accountId: at.accountId, set, filtered: true, withData: false, maxExamined }
      const read: string[] = []
      for (let after: string | null = ''; after !== null; ) {
        const request: ItemPageRequest = { order: 'createdAt', direction, filters: '{}', limit: 5, after }
        const { data, next } = (await readItemPage(db, options, request)).page as CursorPage<Item>
        read.push(...data.map(({ id }) => id))
        after = next
      }
      t.deepEqual(read, direction === 'asc' ? ids : ids.toReversed(), `${direction} ${maxExamined}`)
    }
})
