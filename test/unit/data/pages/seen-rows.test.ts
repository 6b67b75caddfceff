import test from 'ava'
import { seenRows } from '#shared/data/pages/seen-rows.ts'
import { page } from '#shared/domain/limits.ts'

const mib = 1024 * 1024

/** Rows with these sizes in bytes, whole and as far as the caller sees them, and the number of rows in each part that is read. */
function rowsOf(sizes: readonly { whole: number; seen: number }[]) {
  const parts: number[] = []
  const rows = sizes.map((size, n) => ({ ...size, n }))
  const view = {
    bytes: ({ whole }: (typeof rows)[number]) => whole,
    async complete(part: readonly (typeof rows)[number][]) {
      parts.push(part.length)
      return part
    },
    see: (row: (typeof rows)[number]) => ({ ...row }),
    seenBytes: ({ seen }: (typeof rows)[number]) => seen,
  }
  return { rows, parts, view }
}

const same = (count: number, size: { whole: number; seen: number }) => Array.from({ length: count }, () => size)

test('rows are read in parts of one page each, however little of them is visible', async (t) => {
  const { rows, parts, view } = rowsOf(same(10, { whole: 3 * mib, seen: 10 }))
  t.deepEqual((await seenRows(rows, view))?.map(({ n }) => n), [...rows.keys()]) // biome-ignore format: one line
  t.deepEqual(parts, [2, 2, 2, 2, 2])
})

test('short rows are one part, and a row that is larger than a page is a separate part', async (t) => {
  const { rows, parts, view } = rowsOf([
    ...same(3, { whole: 0, seen: 100 }),
    { whole: 2 * page.maxBytes, seen: 5 },
    ...same(2, { whole: 0, seen: 100 }),
  ])
  t.is((await seenRows(rows, view))?.length, 6)
  t.deepEqual(parts, [3, 1, 2])
})

test('reading stops once the visible data exceeds a page', async (t) => {
  const { rows, parts, view } = rowsOf(same(100, { whole: mib, seen: mib }))
  const seen = await seenRows(rows, view)
  t.deepEqual([seen?.length, parts], [16, [8, 8]])
})

test('there are no rows if a row changed before it was read', async (t) => {
  const { rows, view } = rowsOf(same(3, { whole: 10, seen: 10 }))
  t.is(await seenRows(rows, { ...view, complete: async () => null }), null)
  t.deepEqual(await seenRows([], view), [])
})
