import test from 'ava'
import { poll } from '#shared/time/poll.ts'

test('it polls until something is returned, false included', async (t) => {
  const seen = [null, null, false, true]
  t.false(await poll(async () => seen.shift() ?? null, { everyMs: 1, withinMs: 3_600_000 }))
  t.deepEqual(seen, [true])
})

test('it polls once however short the time is', async (t) => {
  let looks = 0
  const look = async () => {
    looks++
    return null
  }
  t.is(await poll(look, { everyMs: 1, withinMs: -1 }), null)
  t.is(looks, 1)
})

test('a signal ends it in a pause', async (t) => {
  const signal = AbortSignal.abort()
  const error = await t.throwsAsync(poll(async () => null, { everyMs: 3_600_000, withinMs: 3_600_000, signal }))
  t.is(error?.name, 'AbortError')
})
