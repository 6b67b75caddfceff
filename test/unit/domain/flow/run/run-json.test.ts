import test from 'ava'
import { reportOf } from '#shared/domain/flow/run/report.ts'
import { serializeRun, serializeRunSummary } from '#shared/domain/flow/run/run-json.ts'
import type { FlowRunRecord } from '#shared/domain/flow/run/run-record.ts'

const outcome = { kind: 'answered', status: 201, headers: { 'x-a': 'b' }, body: '9007199254740993' } as const
const report = reportOf({ outcome, writes: [], emits: [], steps: [] })
const run: FlowRunRecord = {
  id: 'r',
  accountId: 'a',
  flowId: 'f',
  flowVersion: 2,
  status: 'succeeded',
  trigger: 'endpoint',
  requestId: 'q',
  createdAt: 0,
  durationMs: 4,
  attempts: 1,
  fuel: 3,
  seed: 's',
  input: '{"n": 1e400}',
  report,
}
const shown = {
  id: 'r',
  flowId: 'f',
  flowVersion: 2,
  trigger: { type: 'endpoint', requestId: 'q' },
  status: 'succeeded',
  attempts: 1,
  startedAt: '1970-01-01T00:00:00.000Z',
  durationMs: 4,
  fuel: 3,
  answer: { status: 201, headers: { 'x-a': 'b' }, body: Number('9007199254740993') },
  writes: [],
  emits: [],
}

test('a page shows a run without its steps, and nothing of the account', (t) => {
  const text = serializeRunSummary({ ...run, summary: report.split('\n')[0] ?? '' })
  t.deepEqual(JSON.parse(text), shown)
})

test('a single run has its steps, its seed and its input, digit for digit', (t) => {
  const text = serializeRun(run)
  t.true(text.includes('"body":9007199254740993'))
  t.true(text.endsWith(',"seed":"s","input":{"n": 1e400}}'))
  t.deepEqual(JSON.parse(text), { ...shown, steps: [], omittedSteps: 0, seed: 's', input: { n: Infinity } })
})

test('an input that was too long to keep is absent', (t) => {
  t.false('input' in JSON.parse(serializeRun({ ...run, input: null })))
  t.is(JSON.parse(serializeRun({ ...run, input: 'null' })).input, null)
})
