import { once } from 'node:events'
import test from 'ava'
import { succeedsWithin, withStepLimit, withTimeLimit } from '#shared/time/time-limit.ts'

const longMs = 60_000
const never = new Promise<never>(() => {})
const tooLate = () => {
  throw new Error('too late')
}

test('work that ends in time returns its result or its error', async (t) => {
  t.is(await withTimeLimit(Promise.resolve('done'), longMs, tooLate), 'done')
  await t.throwsAsync(withTimeLimit(Promise.reject(new Error('broken')), longMs, tooLate), { message: 'broken' })
})

test('late work returns or throws the alternative, and its later failure is ignored', async (t) => {
  const work = Promise.withResolvers<string>()
  t.is(await withTimeLimit(work.promise, 1, () => 'instead'), 'instead')
  await t.throwsAsync(withTimeLimit(work.promise, 1, tooLate), { message: 'too late' })
  work.reject(new Error('broken'))
  await new Promise(setImmediate)
})

test('input that arrived while the process could not run is handled before work counts as late', async (t) => {
  const { port1, port2 } = new MessageChannel()
  t.teardown(() => port1.close())
  const work = withTimeLimit(once(port2, 'message'), 1, tooLate)
  port1.postMessage('here')
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 20)
  t.is((await work).length, 1)
})

test('work that makes progress may continue, and work without progress is late', async (t) => {
  let count = 0
  const steps = () => ++count
  const work = Promise.withResolvers<string>()
  setTimeout(() => work.resolve('done'), 20)
  t.is(await withStepLimit(work.promise, { ms: 1, steps, late: tooLate }), 'done')
  t.is(await withStepLimit(never, { ms: 1, steps: () => 1, late: () => 'instead' }), 'instead')
  await t.throwsAsync(withStepLimit(never, { ms: 1, steps: () => 1, late: tooLate }), { message: 'too late' })
})

test('work succeeds if it resolves in time', async (t) => {
  t.true(await succeedsWithin(Promise.resolve(), longMs))
  t.false(await succeedsWithin(Promise.reject(new Error('broken')), longMs))
  t.false(await succeedsWithin(never, 1))
})
