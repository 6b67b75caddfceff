import test from 'ava'
import { createKeyedMutex } from '#services/gateway/admission/keyed-mutex.ts'

/** Work that ends when the test says so. */
function held() {
  const { promise, resolve, reject } = Promise.withResolvers<string>()
  return { work: () => promise, resolve, reject }
}

test('work of one key runs one after the other, in the order of arrival', async (t) => {
  const turns = createKeyedMutex(10)
  const begun: number[] = []
  let running = 0
  const all = [1, 2, 3].map((n) =>
    turns('a', async () => {
      t.is(++running, 1)
      begun.push(n)
      await Promise.resolve()
      running--
    }),
  )
  await Promise.all(all)
  t.deepEqual(begun, [1, 2, 3])
})

test('work of different keys does not wait', async (t) => {
  const turns = createKeyedMutex(10)
  const first = held()
  const slow = turns('a', first.work)
  t.is(await turns('b', async () => 'b'), 'b')
  first.resolve('a')
  t.is(await slow, 'a')
})

test('work that fails lets the next one begin', async (t) => {
  const turns = createKeyedMutex(10)
  const first = held()
  const failing = turns('a', first.work)
  const next = turns('a', async () => 'next')
  first.reject(new Error('no'))
  await t.throwsAsync(failing, { message: 'no' })
  t.is(await next, 'next')
})

test('beyond the bound it refuses at once, and the order of those that wait stands', async (t) => {
  const turns = createKeyedMutex(1)
  const first = held()
  const running = turns('a', first.work)
  const waiting = turns('a', async () => 'waiting')
  await t.throwsAsync(
    turns('a', async () => 'refused'),
    { name: 'SERVICE_UNAVAILABLE' },
  )
  let overtaken = false
  void waiting.then(() => (overtaken = true))
  await Promise.resolve()
  t.false(overtaken)
  first.resolve('done')
  t.is(await running, 'done')
  t.is(await waiting, 'waiting')
  t.is(await turns('a', async () => 'later'), 'later')
})
