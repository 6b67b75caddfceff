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
  actor: null,
  requestId: 'q',
  createdAt: 0,
  durationMs: 4,
  attempts: 1,
  fuel: 3,
  seed: 's',
  input: '{"n": 1e400}',
  report,
  errorCode: null,
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

const noUsers = new Map<string, string>()

test('a page shows a run without its steps, and nothing about the account', (t) => {
  const text = serializeRunSummary({ ...run, summary: report.split('\n')[0] ?? '' }, noUsers)
  t.deepEqual(JSON.parse(text), shown)
})

test('a single run has its steps, its seed and its input, digit for digit', (t) => {
  const text = serializeRun(run, noUsers)
  t.true(text.includes('"body":9007199254740993'))
  t.true(text.endsWith(',"seed":"s","input":{"n": 1e400}}'))
  t.deepEqual(JSON.parse(text), { ...shown, steps: [], omittedSteps: 0, seed: 's', input: { n: Infinity } })
})

test('an input that was too long to store is absent', (t) => {
  t.false('input' in JSON.parse(serializeRun({ ...run, input: null }, noUsers)))
  t.is(JSON.parse(serializeRun({ ...run, input: 'null' }, noUsers)).input, null)
})

test('a run names who started it, a user by name; no author is null, and runs of an earlier version do not have it', (t) => {
  const users = new Map([['u1', 'Ada']])
  const actorOf = (actor: string | null) => JSON.parse(serializeRun({ ...run, actor }, users)).actor
  const token = { authMode: 'token', tokenId: 't', identityId: 'i' }
  t.deepEqual(actorOf(JSON.stringify(token)), token)
  const user = { authMode: 'user', tokenId: null, identityId: null }
  t.deepEqual(actorOf(JSON.stringify({ ...user, userId: 'u1' })), { ...user, userId: 'u1', userName: 'Ada' })
  t.deepEqual(actorOf(JSON.stringify({ ...user, userId: 'u2' })), { ...user, userId: 'u2', userName: null })
  t.is(actorOf('null'), null)
  t.is(actorOf(null), undefined)
})
