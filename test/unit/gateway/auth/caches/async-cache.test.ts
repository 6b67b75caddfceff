import test from 'ava'
import { createAsyncCache } from '#services/gateway/auth/caches/async-cache.ts'

/** A cache over a source; the test ends its look-ups. */
function held({ maxEntries = 10, maxLookUps = 10 } = {}) {
  const asked: { key: string; answer(value: string | null): void; fail(error: Error): void }[] = []
  const clock = { now: 0 }
  const cache = createAsyncCache<string>({
    find: (key) =>
      new Promise((resolve, reject) => {
        asked.push({ key, answer: resolve, fail: reject })
      }),
    now: () => clock.now,
    keepMs: 5_000,
    maxEntries,
    maxLookUps,
  })
  return { asked, clock, cache }
}

async function known(source: ReturnType<typeof held>, key: string, value: string): Promise<void> {
  const found = source.cache.get(key)
  source.asked.at(-1)?.answer(value)
  await found
}

test('a result is remembered for five seconds, counted from before the look-up', async (t) => {
  const source = held()
  const first = source.cache.get('k')
  source.clock.now = 1_000
  source.asked[0]?.answer('v')
  t.is(await first, 'v')
  source.clock.now = 4_999
  t.is(await source.cache.get('k'), 'v')
  t.is(source.asked.length, 1)
  source.clock.now = 5_000
  void source.cache.get('k')
  t.is(source.asked.length, 2)
})

test('concurrent requests for the same key share one look-up', async (t) => {
  const source = held()
  const both = [source.cache.get('k'), source.cache.get('k')]
  t.is(source.asked.length, 1)
  source.asked[0]?.answer('v')
  t.deepEqual(await Promise.all(both), ['v', 'v'])
})

test('a forgotten key is looked up again at once', async (t) => {
  const source = held()
  await known(source, 'k', 'v')
  source.cache.invalidate('k')
  void source.cache.get('k')
  t.is(source.asked.length, 2)
})

test('a look-up begun before a revocation is neither remembered nor shared with later requests', async (t) => {
  const source = held()
  const before = source.cache.get('k')
  source.cache.invalidate('k')
  const after = source.cache.get('k')
  t.is(source.asked.length, 2)
  source.asked[1]?.answer(null)
  source.asked[0]?.answer('stale')
  t.is(await before, 'stale')
  t.is(await after, null)
  void source.cache.get('k')
  t.is(source.asked.length, 3)
})

test('a look-up begun after a revocation is remembered, whichever ends first', async (t) => {
  const source = held()
  const before = source.cache.get('k')
  source.cache.invalidate('k')
  const after = source.cache.get('k')
  source.asked[0]?.answer('stale')
  source.asked[1]?.answer('fresh')
  await Promise.all([before, after])
  t.is(await source.cache.get('k'), 'fresh')
  t.is(source.asked.length, 2)
})

test('a miss is not remembered', async (t) => {
  const source = held()
  const found = source.cache.get('k')
  source.asked[0]?.answer(null)
  t.is(await found, null)
  void source.cache.get('k')
  t.is(source.asked.length, 2)
})

test('a failed look-up is tried again', async (t) => {
  const source = held()
  const found = source.cache.get('k')
  source.asked[0]?.fail(new Error('away'))
  await t.throwsAsync(found, { message: 'away' })
  void source.cache.get('k')
  t.is(source.asked.length, 2)
})

test('beyond its bound the least recently used key is evicted', async (t) => {
  const source = held({ maxEntries: 2 })
  await known(source, 'a', '1')
  await known(source, 'b', '2')
  await source.cache.get('a')
  await known(source, 'c', '3')
  await source.cache.get('a')
  t.is(source.asked.length, 3)
  void source.cache.get('b')
  t.is(source.asked.at(-1)?.key, 'b')
})

test('look-ups over the limit are rejected, and their room is free again when others end', async (t) => {
  const source = held({ maxLookUps: 2 })
  const open = [source.cache.get('a'), source.cache.get('b')]
  await t.throwsAsync(source.cache.get('c'), { name: 'SERVICE_UNAVAILABLE' })
  source.asked[0]?.answer('1')
  source.asked[1]?.fail(new Error('away'))
  await Promise.allSettled(open)
  t.is(await source.cache.get('a'), '1')
  void source.cache.get('c')
  t.is(source.asked.length, 3)
})

test('values of one kind are forgotten together, and no look-up in progress is remembered', async (t) => {
  const source = held()
  await known(source, 'a', 'mine')
  await known(source, 'b', 'theirs')
  const underWay = source.cache.get('c')
  source.cache.invalidateWhere((value) => value === 'mine')
  source.asked.at(-1)?.answer('mine')
  t.is(await underWay, 'mine')
  t.is(await source.cache.get('b'), 'theirs')
  t.is(source.asked.length, 3)
  void source.cache.get('a')
  void source.cache.get('c')
  t.is(source.asked.length, 5)
})
