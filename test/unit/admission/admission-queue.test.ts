import test from 'ava'
import { type AdmissionOptions, createAdmissionQueue } from '#shared/admission/admission-queue.ts'

const waiting = { all: { entries: 100, size: 100 }, account: { entries: 10, size: 50 } }

/** A queue that records each piece of work when it begins; the test ends the work. By default one runs at a time. */
function noting(options: Partial<AdmissionOptions> = {}) {
  const queue = createAdmissionQueue({ atOnce: 1, waiting, ...options })
  const begun: string[] = []
  const ends = new Map<string, PromiseWithResolvers<void>>()
  const ask = (name: string, size = 1) =>
    queue({ accountId: name.slice(0, 1), size }, async () => {
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

test('one job runs at a time, and the next one is that of the account that was served least recently', async (t) => {
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

test('jobs of a limited total size run at the same time, and the last one may exceed the limit', async (t) => {
  const { ask, begun, end } = noting({ atOnce: 10 })
  for (const [name, size] of Object.entries({ a1: 4, a2: 5, a3: 9, a4: 1, a5: 1 })) void ask(name, size)
  await settled()
  t.deepEqual(begun, ['a1', 'a2', 'a3'])
  end('a1')
  await settled()
  t.deepEqual(begun, ['a1', 'a2', 'a3'])
  end('a3')
  await settled()
  t.deepEqual(begun, ['a1', 'a2', 'a3', 'a4', 'a5'])
})

test('jobs of one account may wait up to a limited size, and other accounts can still queue', async (t) => {
  const { ask } = noting()
  void ask('a1')
  for (let n = 0; n < 5; n++) void ask('a', 10)
  await t.throwsAsync(ask('a'), { message: /try again/i, name: 'SERVICE_UNAVAILABLE' })
  void ask('b', 10)
  t.pass()
})

test('a limited size of one account runs at the same time, and other accounts overtake its waiting jobs', async (t) => {
  const { ask, begun, end } = noting({ atOnce: 4, perAccount: 2 })
  for (const name of ['a1', 'a2', 'a3', 'b1']) void ask(name)
  await settled()
  t.deepEqual(begun, ['a1', 'a2', 'b1'])
  end('a1')
  await settled()
  t.deepEqual(begun, ['a1', 'a2', 'b1', 'a3'])
})

test('a job whose turn does not come in time is rejected, and gets no turn later', async (t) => {
  const { ask, begun, end } = noting({ waitMs: 20 })
  void ask('a1')
  await t.throwsAsync(ask('a2'), { name: 'SERVICE_UNAVAILABLE' })
  const next = ask('a3')
  end('a1')
  await settled()
  t.deepEqual(begun, ['a1', 'a3'])
  end('a3')
  t.is(await next, 'a3')
})
