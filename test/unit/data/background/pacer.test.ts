import test from 'ava'
import { createPacer } from '#shared/data/background/pacer.ts'
import { noTime } from '#shared/data/background/timed-transaction.ts'

const hour = 3_600_000
const server = { othersWrote: null, checkpoint: async () => {} }
const bounds = { first: 20, least: 10, most: 100 }

test('a rest counts the time of its batch, not the idle time before it', async (t) => {
  let now = 0
  const rests: number[] = []
  const pacer = createPacer(server, bounds, { now: () => now, pause: async (ms) => rests.push(ms) })
  for (const workMs of [7, 9]) {
    now += hour
    pacer.size()
    now += workMs
    await pacer.rest({ rows: 20, took: { waitedMs: 0, heldMs: 5 } })
  }
  t.deepEqual(rests, [7, 9])
})

test('a rest without a batch is short, however long it was idle', async (t) => {
  let now = 0
  const rests: number[] = []
  const pacer = createPacer(server, bounds, { now: () => now, pause: async (ms) => rests.push(ms) })
  pacer.size()
  await pacer.rest({ rows: 0, took: noTime })
  now += hour
  await pacer.rest({ rows: 0, took: noTime })
  t.deepEqual(rests, [1, 1])
})

test('time that others make it wait is rest, and lets the next batch hold its locks for longer', async (t) => {
  let now = 0
  const rests: number[] = []
  const others = { othersWrote: async () => true, checkpoint: async () => {} }
  const pacer = createPacer(others, bounds, { now: () => now, pause: async (ms) => rests.push(ms) })
  for (let n = 0; n < 20; n++) {
    const rows = pacer.size()
    now += 100 + rows / 2
    await pacer.rest({ rows, took: { waitedMs: 100, heldMs: rows / 2 } })
  }
  t.is(pacer.size(), 99)
  t.true(
    rests.every((ms) => ms === 1),
    `${rests}`,
  )
})
