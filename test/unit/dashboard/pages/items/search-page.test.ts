import test from 'ava'
import { searchPage } from '#services/dashboard/pages/items/search-page.ts'
import type { ItemRow, ItemRows } from '#services/dashboard/pages/items/table/item-rows.ts'

const row = (id: string) => ({ id }) as ItemRow
const page = (ids: string, next: string | null, examined = 0): ItemRows => ({
  rows: Array.from(ids, row),
  next,
  examined,
})

/** Reads a page from calls that return these answers one by one. */
async function searched(answers: readonly ItemRows[], limit: number) {
  const [asked, reported]: [[after: string, limit: number][], number[]] = [[], []]
  const left = [...answers]
  const read = async (after: string, most: number) => {
    asked.push([after, most])
    return left.shift() ?? page('', null)
  }
  const found = await searchPage(read, 'start', { limit, onExamined: (items) => reported.push(items) })
  return { ids: found.rows.map(({ id }) => id).join(''), next: found.next, asked, reported }
}

test('a page that an index can serve is one request', async (t) => {
  const asked = [['start', 3]]
  t.deepEqual(await searched([page('abc', 'c')], 3), { ids: 'abc', next: 'c', asked, reported: [0] } as never)
  t.deepEqual(await searched([page('a', null)], 3), { ids: 'a', next: null, asked, reported: [0] } as never)
})

test('a page that ends because of its size is not continued', async (t) => {
  t.like(await searched([page('a', 'a'), page('b', null)], 3), { ids: 'a', next: 'a' })
})

test('a page that ends early is continued until it is full, and reports how many items were examined', async (t) => {
  const found = await searched([page('a', 'k', 20_000), page('', 'm', 20_000), page('bc', 'c')], 3)
  const asked = [
    ['start', 3],
    ['k', 2],
    ['m', 2],
  ]
  t.deepEqual(found, { ids: 'abc', next: 'c', asked, reported: [20_000, 40_000, 0] } as never)
})

test('a page that ends early is continued until the items end', async (t) => {
  t.like(await searched([page('', 'k', 20_000), page('a', null)], 3), { ids: 'a', next: null })
})
