import test from 'ava'
import { AnotherFile, importIdOf } from '#shared/domain/item-transfer/batches.ts'
import { type ImportState, type ImportSteps, importRows } from '#shared/domain/item-transfer/import-rows.ts'
import type { RejectedRow } from '#shared/domain/item-transfer/rejection.ts'
import type { Row } from '#shared/domain/item-transfer/rows.ts'

type Answer = { status: number; name?: string; details?: object; retryAfterSeconds?: number }

const failure = ({ name = 'X', ...more }: Answer) =>
  Object.assign(new Error(`${name} was answered.`), { name, ...more })

/** Whether the list rejects the data. */
const isBad = (data: string) => data.includes('bad')

/** A fake listd: it first returns the answers of the test, rejects bad data, and stores each batch under its key. */
function fakeListd({ answers = [] as Answer[], namesAll = true, mostBytes = Infinity } = {}) {
  const items: string[] = []
  const keys = new Map<string, string>()
  const requests: string[] = []
  const waits: number[] = []
  const rejected: RejectedRow[] = []
  const states: ImportState[] = []
  const steps: ImportSteps = {
    async send(operations, once) {
      requests.push('key' in once ? 'batch' : 'dry run')
      const answer = answers.shift()
      if (answer && answer.status !== 200) throw failure(answer)
      if (operations.length > mostBytes) throw failure({ status: 413, name: 'UNEXPECTED_ANSWER' })
      const data = (JSON.parse(operations) as { data: unknown }[]).map((one) => JSON.stringify(one.data))
      const bad = data.flatMap((one, n) => (isBad(one) ? n : []))
      if (bad.length > 0) {
        const all = bad.map((operation) => ({
          operation,
          errors: [{ path: `operations.${operation}.data.a`, pointer: '/a', message: 'is bad' }],
        }))
        const details = {
          operation: bad[0],
          errors: all[0]?.errors,
          ...('dryRun' in once && namesAll && { operations: all }),
        }
        throw failure({ status: 400, name: 'ITEM_SCHEMA_INVALID', details })
      }
      if (!('key' in once)) return { isRepeated: false }
      if (keys.get(once.key) === operations) return { isRepeated: true }
      if (keys.has(once.key)) throw failure({ status: 409, name: 'IDEMPOTENCY_KEY_REUSED' })
      keys.set(once.key, operations)
      items.push(...data)
      if (answer) throw failure({ status: 0, name: 'CONNECTION_FAILED' })
      return { isRepeated: false }
    },
    async pause(seconds) {
      waits.push(seconds)
    },
    reject: (rows) => void rejected.push(...rows),
    save: (state) => void states.push(state),
    show: () => {},
  }
  return { steps, items, requests, waits, rejected, states }
}

async function* rowsOf(...texts: (string | null)[]): AsyncGenerator<Row> {
  for (const [n, text] of texts.entries()) {
    const errors = text === null ? [{ message: 'it is not JSON' }] : []
    yield { row: n + 1, line: n + 1, data: text, errors, source: text ?? 'broken' }
  }
}

const options = { importId: importIdOf('recipes', ['file', 'a.csv']), most: 3 }
const numbers = (count: number) => Array.from({ length: count }, (_, n) => `${n}`)

test('rows are created batch by batch, in the order of the file', async (t) => {
  const { steps, items, requests } = fakeListd()
  t.like(await importRows(rowsOf(...numbers(7)), options, steps), { row: 7, created: 7, existing: 0, refused: 0 })
  t.deepEqual(items, numbers(7))
  t.deepEqual(requests, ['batch', 'batch', 'batch'])
})

test('rejected rows are left out with their errors, and the others of their batch are created', async (t) => {
  for (const namesAll of [true, false]) {
    const { steps, items, rejected, requests } = fakeListd({ namesAll })
    const end = await importRows(rowsOf('0', '"bad1"', null, '"bad2"', '"bad3"', '5'), options, steps)
    t.like(end, { row: 6, created: 2, refused: 4 })
    t.deepEqual(items, ['0', '5'])
    t.deepEqual(
      rejected.map(({ row, errors }) => [row.row, errors[0]]),
      [
        [2, { pointer: '/a', message: 'is bad' }],
        [3, { message: 'it is not JSON' }],
        [4, { pointer: '/a', message: 'is bad' }],
        [5, { pointer: '/a', message: 'is bad' }],
      ],
    )
    if (namesAll) t.deepEqual(requests, ['batch', 'dry run', 'batch', 'batch', 'dry run', 'batch'])
  }
})

test('a batch that the server cannot process now is sent again under the same key, and nothing is created twice', async (t) => {
  const answers = [
    { status: 503, retryAfterSeconds: 7 },
    { status: 429, retryAfterSeconds: 2 },
    { status: 200 },
    { status: 0, name: 'CONNECTION_FAILED' },
  ]
  const { steps, items, waits } = fakeListd({ answers })
  await importRows(rowsOf(...numbers(4)), options, steps)
  t.deepEqual(items, numbers(4))
  t.deepEqual(waits, [7, 2, 4, 8])
})

test('after a quarter of an hour the import stops waiting', async (t) => {
  const answers = Array.from({ length: 200 }, () => ({ status: 503, name: 'SERVICE_UNAVAILABLE' }))
  const { steps, waits } = fakeListd({ answers })
  await t.throwsAsync(importRows(rowsOf('1'), options, steps), { name: 'SERVICE_UNAVAILABLE' })
  t.true(waits.reduce((sum, seconds) => sum + seconds, 0) <= 900)
})

test('an error that is not about a row ends the import, and rejects no row', async (t) => {
  const answers = [{ status: 403, name: 'TOKEN_NOT_AUTHORIZED', details: { operation: 0 } }]
  const { steps, rejected } = fakeListd({ answers })
  await t.throwsAsync(importRows(rowsOf('1'), options, steps), { name: 'TOKEN_NOT_AUTHORIZED' })
  t.deepEqual(rejected, [])
})

test('a batch that is too long for a proxy is halved', async (t) => {
  const { steps, items } = fakeListd({ mostBytes: 60 })
  await importRows(rowsOf(...numbers(6)), { ...options, most: 6 }, steps)
  t.deepEqual(items, numbers(6))
})

test('wherever an import is interrupted, it continues from its state and every row is created once', async (t) => {
  const rows = () => rowsOf('0', '"bad1"', '2', '3', '4', '"bad5"', '6')
  for (let cutAt = 1; cutAt <= 12; cutAt++) {
    const { steps, items, states, rejected } = fakeListd()
    let calls = 0
    const cut =
      <A extends unknown[], R>(step: (...args: A) => R) =>
      (...args: A) => {
        if (++calls === cutAt) throw new Error('cut off')
        return step(...args)
      }
    const send: ImportSteps['send'] = async (...args) => {
      const sent = await steps.send(...args)
      // The answer is lost after the work was done.
      if (++calls === cutAt) throw new Error('cut off')
      return sent
    }
    await importRows(rows(), options, { ...steps, send, save: cut(steps.save) }).catch(() => {})
    const rejectedBefore = states.at(-1)?.refused ?? 0
    rejected.splice(rejectedBefore)
    const end = await importRows(rows(), { ...options, from: states.at(-1) ?? null }, steps)
    t.like(end, { row: 7, refused: 2 }, `cut at ${cutAt}`)
    t.is(end.created + end.existing, 5, `cut at ${cutAt}`)
    t.deepEqual(items, ['0', '2', '3', '4', '6'], `cut at ${cutAt}`)
    t.deepEqual(
      rejected.map(({ row }) => row.row),
      [2, 6],
    )
  }
})

test('an import does not continue with another file, or with a shorter one', async (t) => {
  const { steps, states } = fakeListd()
  await importRows(rowsOf(...numbers(4)), options, steps)
  const first = states.find(({ row }) => row === 3) ?? null
  for (const other of [rowsOf('0', '1', 'x', '3'), rowsOf('0', '1'), rowsOf()]) {
    await t.throwsAsync(importRows(other, { ...options, from: first }, steps), { instanceOf: AnotherFile })
  }
})

test('a dry run writes nothing and names every row that would be rejected', async (t) => {
  const { steps, items, requests, rejected } = fakeListd()
  const end = await importRows(rowsOf('0', '"bad1"', null, '3'), { ...options, dryRun: true }, steps)
  t.like(end, { created: 2, refused: 2 })
  t.deepEqual(items, [])
  t.false(requests.includes('batch'))
  t.deepEqual(
    rejected.map(({ row }) => row.row),
    [2, 3],
  )
})

test('the same rows at another position, of another source, or for another list are different rows', async (t) => {
  const { steps, items } = fakeListd()
  const ones = () => rowsOf('1', '1', '1')
  const of = (list: string, ...source: string[]) => ({ most: 3, importId: importIdOf(list, source) })
  t.like(await importRows(rowsOf('1', '1', '1', '1', '1', '1'), of('a', 'x'), steps), { created: 6, existing: 0 })
  t.like(await importRows(ones(), of('b', 'x'), steps), { created: 3, existing: 0 })
  t.like(await importRows(ones(), of('a', 'y'), steps), { created: 3, existing: 0 })
  t.is(items.length, 12)
})

test('rows of one source that were sent before are distinguished from newly created ones', async (t) => {
  const { steps, items } = fakeListd()
  await importRows(rowsOf('0', '1', '"bad2"'), options, steps)
  const again = await importRows(rowsOf('0', '1', '"bad2"', '3', '4'), options, steps)
  t.like(again, { row: 5, created: 2, existing: 2, refused: 1 })
  t.deepEqual(items, ['0', '1', '3', '4'])
})

test('a file that has grown continues after the batch that may have been sent, and creates no row of it twice', async (t) => {
  const { steps, items, states } = fakeListd()
  const answers = [{ status: 200 }]
  const lost = fakeListd({ answers })
  const giveUp = { ...lost.steps, pause: () => Promise.reject(new Error('cut off')) }
  await t.throwsAsync(importRows(rowsOf('0', '1'), options, giveUp), { message: 'cut off' })
  const from = lost.states.at(-1) ?? null
  t.like(from, { row: 0, sending: { row: 2 } })
  const end = await importRows(rowsOf('0', '1', '2'), { ...options, from }, lost.steps)
  t.like(end, { created: 1, existing: 2 })
  t.deepEqual(lost.items, ['0', '1', '2'])
  await t.throwsAsync(importRows(rowsOf('0', 'x', '2'), { ...options, from }, steps), { instanceOf: AnotherFile })
  t.deepEqual([items, states], [[], []])
})

test('rows that the server has rejected count as not sent when the import continues', async (t) => {
  const { steps, states } = fakeListd()
  let calls = 0
  const send: ImportSteps['send'] = (...args) =>
    ++calls === 2 ? Promise.reject(failure({ status: 401, name: 'USER_NOT_AUTHENTICATED' })) : steps.send(...args)
  await t.throwsAsync(importRows(rowsOf(...numbers(5)), options, { ...steps, send }), {
    name: 'USER_NOT_AUTHENTICATED',
  })
  t.like(states.at(-1), { row: 3, created: 3, sending: null })
})
