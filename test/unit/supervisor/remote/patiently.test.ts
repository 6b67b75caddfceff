import test from 'ava'
import { ListdError } from '#client/src/error.ts'
import { patiently } from '#services/supervisor/remote/patiently.ts'

function world() {
  const said: string[] = []
  return { said, terminal: { stderr: { write: (text: string) => said.push(text) } } }
}

const busy = (status: number, retryAfterSeconds?: number) =>
  new ListdError({
    name: 'UNEXPECTED_ANSWER',
    status,
    message: 'It is busy.',
    ...(retryAfterSeconds !== undefined && { retryAfterSeconds }),
  })

/** Waits end at once, and are recorded. */
function withoutTime() {
  const waited: number[] = []
  const pause = (ms = 0) => Promise.resolve(waited.push(ms) as never)
  return { waited, patience: { signal: new AbortController().signal, pause } }
}

test('a call that fails at first is repeated, and this is reported once', async (t) => {
  const { said, terminal } = world()
  const { waited, patience } = withoutTime()
  const errors = [busy(503, 7), busy(429, 0), busy(502), busy(504, 9_999), busy(503), busy(503), busy(503)]
  const answer = await patiently(terminal, patience, async () => {
    const error = errors.shift()
    if (error) throw error
    return 'soup'
  })
  t.is(answer, 'soup')
  t.deepEqual(waited, [7_000, 1_000, 4_000, 60_000, 16_000, 32_000, 60_000])
  t.deepEqual(said, ['It is busy. Retrying in 7 seconds; press ctrl-c to stop.\n', 'The server answers again.\n'])
})

test('an error that a retry would not resolve ends it', async (t) => {
  const { said, terminal } = world()
  for (const error of [busy(401), busy(404), new TypeError('no answer at all')]) {
    await t.throwsAsync(
      patiently(terminal, withoutTime().patience, () => Promise.reject(error)),
      { is: error },
    )
  }
  t.deepEqual(said, [])
})

test('an interrupt ends the wait', async (t) => {
  const { terminal } = world()
  const ending = new AbortController()
  const waits = patiently(terminal, ending, () => Promise.reject(busy(503, 3_600)))
  ending.abort()
  await t.throwsAsync(waits, { name: 'AbortError' })
})
