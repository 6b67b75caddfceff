import test from 'ava'
import { ListdError } from '#client/src/error.ts'
import { Reader, refresh, refreshInTurn } from '#services/dashboard/api/reader.ts'

type Read = { signal: AbortSignal; answer(value: string): Promise<void>; fail(error: unknown): Promise<void> }

/** A reader of `key`, as a page uses it; the test ends its reads. */
function pageThatReads(key: string) {
  const reads: Read[] = []
  const reader = new Reader<string>(() => {})
  reader.load = (signal) =>
    new Promise((resolve, reject) => {
      const settled = () => new Promise<void>((done) => setImmediate(done))
      const answer = (value: string) => {
        resolve(value)
        return settled()
      }
      const fail = (error: unknown) => {
        reject(error)
        return settled()
      }
      reads.push({ signal, answer, fail })
    })
  const detach = reader.attach()
  void reader.read(key)
  return { reads, detach, data: () => reader.resourceOf(key).data, error: () => reader.resourceOf(key).error }
}

test.before(() => {
  // The reader checks only whether the tab is visible.
  Object.assign(globalThis, { document: Object.assign(new EventTarget(), { visibilityState: 'visible' }) })
})

test('if others change data faster than a read takes, each read is shown, and one more follows', async (t) => {
  const page = pageThatReads('others in a row')
  for (const round of [0, 1, 2]) {
    for (let hints = 0; hints < 3; hints++) refreshInTurn('others in')
    t.is(page.reads.length, round + 1)
    t.false(page.reads[round]?.signal.aborted)
    await page.reads[round]?.answer(`read ${round}`)
    t.is(page.data(), `read ${round}`)
  }
  await page.reads[3]?.answer('the last')
  t.is(page.data(), 'the last')
  t.is(page.reads.length, 4)
  page.detach()
})

test('a read that began before a write is not shown after it', async (t) => {
  const page = pageThatReads('own write')
  const done = refresh('own')
  t.true(page.reads[0]?.signal.aborted)
  await page.reads[0]?.answer('before')
  t.is(page.data(), undefined)
  await page.reads[1]?.answer('after')
  await done
  t.is(page.data(), 'after')
  t.is(page.reads.length, 2)
  page.detach()
})

test('after a change during a failed read, the data is read again, but not before the server allows it', async (t) => {
  const page = pageThatReads('fails')
  refreshInTurn('fails')
  await page.reads[0]?.fail(new ListdError({ name: 'REQUESTED_ENTITY_NOT_FOUND', status: 404, message: 'gone' }))
  t.is(page.reads.length, 2)
  refreshInTurn('fails')
  await page.reads[1]?.fail(
    new ListdError({ name: 'RATE_LIMIT_EXCEEDED', status: 429, message: 'wait', retryAfterSeconds: 60 }),
  )
  t.is(page.error()?.name, 'RATE_LIMIT_EXCEEDED')
  t.is(page.reads.length, 2)
  page.detach()
})

test('a page that the user has left is not read again', async (t) => {
  const page = pageThatReads('left')
  refreshInTurn('left')
  page.detach()
  await page.reads[0]?.answer('late')
  refreshInTurn('left')
  await refresh('left')
  t.is(page.reads.length, 1)
})
