import test from 'ava'
import { type ItemSet, visibleItems } from '#shared/data/item-pages/item-set.ts'
import { readItemPage } from '#shared/data/item-pages/page.ts'
import { sql } from '#shared/data/sql/sql.ts'
import { makeList } from '../../../support/databases/contents/rows.ts'
import { testDatabase } from '../../../support/databases/database.ts'
import { all, pageRequest } from '../../../support/databases/questions/item-sets.ts'

const tags = (count: number) => Array.from({ length: count }, (_, n) => `tag-${n}`)
const flags = [null, true, false] as const
const directions = ['asc', 'desc'] as const

/** Sets that each need their own statement, which compiles to about a megabyte. */
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

test('however many different statements run, those that stay prepared use little memory', async (t) => {
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

test('a statement is compiled only once, whatever its limit: the program reads it from the bindings', async (t) => {
  const { db } = await testDatabase(t)
  for (const limit of [7, 8]) {
    const program = await db.all(sql`explain select id from items order by id limit ${limit} offset ${3}`)
    const numbers = program.filter(({ opcode }) => opcode === 'Integer').map(({ p1 }) => p1)
    t.false(numbers.includes(limit))
    t.is(program.filter(({ opcode }) => opcode === 'Variable').length, 2)
  }
})
