import test from 'ava'
import { createPacer } from '#shared/data/background/pacer.ts'

const hour = 3_600_000
const server = { othersWrote: null, checkpoint: async () => {} }
const bounds = { first: 20, least: 10, most: 100 }

test('a rest counts the time of its batch, not the time before it in which there was nothing to do', async (t) => {
  let now = 0
  const rests: number[] = []
  const pacer = createPacer(server, bounds, { now: () => now, pause: async (ms) => rests.push(ms) })
  for (const workMs of [7, 9]) {
    now += hour
    pacer.size()
    now += workMs
    await pacer.rest({ rows: 20, heldMs: 5 })
  }
  t.deepEqual(rests, [7, 9])
})
