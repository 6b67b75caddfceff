import test from 'ava'
import { createTurns } from '#services/gateway/http/turns.ts'

const mib = 1024 * 1024

/** Work that is noted when it begins, and ends when the test says so; by default one at a time. */
function noting(atOnce = 1) {
  const turns = createTurns(atOnce)
  const begun: string[] = []
  const ends = new Map<string, PromiseWithResolvers<void>>()
  const ask = (name: string, bytes = 1) =>
    turns({ accountId: name.slice(0, 1), bytes }, async () => {
      begun.push(name)
      const end = Promise.withResolvers<void>()
      ends.set(name, end)
      await end.promise
      return name
    })
  return {
    ask,
    begun,
    end: (name: string) => ends.get(name)?.resolve(),
    fail: (name: string) => ends.get(name)?.reject(new Error(name)),
  }
}

const settled = () => new Promise((resolve) => setImmediate(resolve))

test('one is at work at a time, and of those that wait the account that was served least recently is next', async (t) => {
  const { ask, begun, end } = noting()
  const all = ['a1', 'a2', 'a3', 'b1'].map((name) => ask(name))
  await settled()
  t.deepEqual(begun, ['a1'])
  for (const name of ['a1', 'a2', 'b1', 'a3']) {
    end(name)
    await settled()
  }
  t.deepEqual(begun, ['a1', 'a2', 'b1', 'a3'])
  t.deepEqual(await Promise.all(all), ['a1', 'a2', 'a3', 'b1'])
})

test('work that fails ends its turn', async (t) => {
  const { ask, begun, fail } = noting()
  const failing = ask('a1')
  void ask('a2')
  await settled()
  fail('a1')
  await t.throwsAsync(failing, { message: 'a1' })
  await settled()
  t.deepEqual(begun, ['a1', 'a2'])
})

test('so many bytes are handled at once, and the last of them may be more', async (t) => {
  const { ask, begun, end } = noting(10)
  for (const [name, bytes] of Object.entries({ a1: 4, a2: 5, a3: 9, a4: 1, a5: 1 })) void ask(name, bytes)
  await settled()
  t.deepEqual(begun, ['a1', 'a2', 'a3'])
  end('a1')
  await settled()
  t.deepEqual(begun, ['a1', 'a2', 'a3'])
  end('a3')
  await settled()
  t.deepEqual(begun, ['a1', 'a2', 'a3', 'a4', 'a5'])
})

test('of one account 128 MiB may wait, and others still do', async (t) => {
  const { ask } = noting()
  void ask('a1')
  for (let n = 0; n < 16; n++) void ask('a', 8 * mib)
  await t.throwsAsync(ask('a', 1), { message: /try again/i, name: 'SERVICE_UNAVAILABLE' })
  void ask('b', 8 * mib)
  t.pass()
})
