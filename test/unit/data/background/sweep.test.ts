import test from 'ava'
import type { Pacer } from '#shared/data/background/pacer.ts'
import { createSweep } from '#shared/data/background/sweep.ts'
import { noTime } from '#shared/data/background/timed-transaction.ts'

const hour = 3_600_000
const restless: Pacer = { size: () => 2, rest: async () => {} }

/** Rows that end at these times, and the bounds of each batch. */
function world(ends: number[], until: () => number) {
  const asked: [from: number, until: number][] = []
  const sweep = createSweep({
    pacer: restless,
    until: async () => until(),
    async batch({ from, until, rows }) {
      asked.push([from, until])
      const found = ends.filter((end) => end >= from && end <= until).slice(0, rows)
      ends.splice(0, ends.length, ...ends.filter((end) => !found.includes(end)))
      return { rows: found.length, took: noTime, more: found.length === rows, from: found.at(-1) ?? from }
    },
  })
  return { ends, asked, sweep }
}

test('each batch begins where the previous one ended', async (t) => {
  const { ends, asked, sweep } = world([1, 2, 3, 4, 5, 9], () => 6)
  t.deepEqual(await sweep(() => true), { deleted: 5 })
  t.deepEqual(asked, [[0, 6], [2, 6], [4, 6]]) // biome-ignore format: short
  t.deepEqual(ends, [9])
})

test('a stopped sweep continues where it stopped, up to the same time, and includes the earlier deletions in its count', async (t) => {
  let now = 6
  const { asked, sweep } = world([1, 2, 3, 4, 5], () => now)
  let batches = 0
  t.is(await sweep(() => ++batches <= 1), null)
  now = 7
  t.deepEqual(await sweep(() => true), { deleted: 5 })
  t.deepEqual(asked, [[0, 6], [2, 6], [4, 6]]) // biome-ignore format: short
})

test('the next sweep begins an hour before the end of the previous one', async (t) => {
  let now = 10 * hour
  const { asked, sweep } = world([1], () => now)
  await sweep(() => true)
  now = 11 * hour
  await sweep(() => true)
  t.deepEqual(asked.at(-1), [9 * hour, 11 * hour])
})
