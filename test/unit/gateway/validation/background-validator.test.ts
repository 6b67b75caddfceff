import test, { type ExecutionContext } from 'ava'
import {
  type BackgroundLimits,
  backgroundLimits,
  createBackgroundValidator,
} from '#services/gateway/validation/background-validator.ts'
import type { Task } from '#services/gateway/validation/messages.ts'
import { testLog } from '../../../support/test-context/test-log.ts'

/** A program for the thread, with this code for each message. */
function program(onMessage: string): URL {
  const text = `import { parentPort } from 'node:worker_threads'; parentPort.on('message', (message) => { ${onMessage} })`
  return new URL(`data:text/javascript,${encodeURIComponent(text)}`)
}

const never = program('')
const deadly = program("if (message.data === 'die') process.exit(1); else parentPort.postMessage([message.data])")

function background(t: ExecutionContext, options: { main?: URL; limits?: Partial<BackgroundLimits> } = {}) {
  const { log, lines } = testLog(t, 'background validate')
  const validate = createBackgroundValidator({ log, ...options, limits: { ...backgroundLimits, ...options.limits } })
  t.teardown(() => validate.close())
  return { validate, logged: () => lines.length }
}

const data = (text: string, schema = '{}'): Task => ({ kind: 'validate', schema, data: text })
const busy = { name: 'SERVICE_UNAVAILABLE' as const }

test('the thread validates and checks', async (t) => {
  const { validate } = background(t)
  const beyondDouble = '{"items":{"maximum":1e300}}'
  t.deepEqual(await validate.run('a', data('[1e400,1]', beyondDouble)), [
    { pointer: '/0', path: 'data.0', message: 'must be <= 1e+300' },
  ])
  t.deepEqual(await validate.run('a', data('[1]', beyondDouble)), [])
  const schemas = ['{"pattern":"("}', '{}', '{}'].map((text, n) => ({ text, path: `lists.l${n}.schema` }))
  t.deepEqual(await validate.run('a', { kind: 'check', schemas }), [
    { path: 'lists.l0.schema.pattern', message: 'is not a regular expression' },
  ])
})

test('the text of a schema is sent once while it is kept', async (t) => {
  const main = program('parentPort.postMessage([message.schema, message.text, message.forget])')
  const { validate } = background(t, { main, limits: { schemas: { count: 2, characters: 10 } } })
  const sent: unknown[] = []
  for (const schema of ['"a"', '"b"', '"a"', '"c"', '"b"', '"long text"'])
    sent.push(await validate.run('a', data('1', schema)))
  t.deepEqual(sent, [
    [1, '"a"', []],
    [2, '"b"', []],
    [1, null, []],
    [3, '"c"', [2]],
    [4, '"b"', [1]],
    [5, '"long text"', [3, 4]],
  ] as unknown[])
})

test('a thread that ends fails only its current task, after a second try', async (t) => {
  const { validate, logged } = background(t, { main: deadly })
  const answers = ['one', 'die', 'two'].map((text) => validate.run('a', data(text)))
  t.deepEqual(await answers[0], ['one'])
  await t.throwsAsync(answers[1] as Promise<unknown>, { ...busy, message: /took too much time or memory/ })
  t.deepEqual(await answers[2], ['two'])
  t.is(logged(), 2)
})

test('a thread that runs out of memory harms no other account', async (t) => {
  const main = program(`
    const kept = []
    while (message.data === 'much') kept.push({ n: kept.length })
    parentPort.postMessage([message.data])`)
  const { validate } = background(t, { main, limits: { memoryMib: 32 } })
  await t.throwsAsync(validate.run('a', data('much')), { ...busy, message: /took too much time or memory/ })
  t.deepEqual(await validate.run('a', data('little')), ['little'])
})

test('a thread that does not answer is ended, whatever it does', async (t) => {
  const main = program("while (message.data === 'long'); parentPort.postMessage([message.data])")
  const { validate } = background(t, { main, limits: { taskMs: 2_000 } })
  const [long, short] = [validate.run('a', data('long')), validate.run('a', data('short'))]
  await t.throwsAsync(long, { ...busy, message: /took too much time or memory/ })
  t.deepEqual(await short, ['short'])
})

test('the queue is bounded', async (t) => {
  const waiting = { all: { entries: 2, size: 100 }, account: { entries: 2, size: 50 } }
  const { validate } = background(t, { main: never, limits: { waiting } })
  const [underWay, first, second] = ['0', '1', '2'].map((text) => validate.run('a', data(text)))
  t.is(validate.waiting(), 2)
  await t.throwsAsync(validate.run('b', data('3')), { ...busy, message: /cannot answer right now/ })
  await validate.close()
  for (const asked of [underWay, first, second]) await t.throwsAsync(asked as Promise<unknown>, busy)
  t.is(validate.waiting(), 0)
  await t.throwsAsync(validate.run('a', data('4')), busy)
})

test('a task that waited too long is not started', async (t) => {
  const { validate } = background(t, { main: deadly, limits: { waitMs: -1 } })
  await t.throwsAsync(validate.run('a', data('one')), { ...busy, message: /cannot answer right now/ })
})
