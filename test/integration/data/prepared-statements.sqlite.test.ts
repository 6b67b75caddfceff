import test from 'ava'
import { readItemPage } from '#shared/data/items/item-page.ts'
import { type ItemSet, visibleItems } from '#shared/data/items/item-set.ts'
import { testDatabase } from '../../support/databases/database.ts'
import { all, pageRequest } from '../../support/databases/item-sets.ts'
import { makeList } from '../../support/databases/rows.ts'

const tags = (count: number) => Array.from({ length: count }, (_, n) => `tag-${n}`)
const flags = [null, true, false] as const
const directions = ['asc', 'desc'] as const

/** Pages of which each takes a statement of its own, and compiles to about a megabyte. */
function manyTaggedSets(listId: string): ItemSet[] {
  const groups = Array.from({ length: 18 }, (_, n) => tags(n + 1))
  return groups.flatMap((first) =>
    flags.flatMap((activated) =>
      flags.map((readonly) => {
        const tagged = [first, ...Array.from({ length: 19 }, () => tags(20))]
        return { ...visibleItems(listId, all, activated), readonly, tagged }
      }),
    ),
  )
}

test('however many different statements are run, those that stay prepared take little memory', async (t) => {
  const { db } = await testDatabase(t)
  const { accountId, listId } = await makeList(db)
  const before = process.memoryUsage.rss()
  for (const set of manyTaggedSets(listId)) {
    const options = { accountId, set, filtered: true, withData: true }
    for (const direction of directions) await readItemPage(db.long, options, pageRequest({ after: '', direction }))
  }
  const grownMb = (process.memoryUsage.rss() - before) / 1024 / 1024
  t.true(grownMb < 140, `grew by ${Math.round(grownMb)} MB`)
})
