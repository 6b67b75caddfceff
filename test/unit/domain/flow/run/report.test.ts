import test from 'ava'
import type { FlowStep } from '#shared/domain/flow/run/driver.ts'
import { failureReport, type Reported, reportOf } from '#shared/domain/flow/run/report.ts'
import { atMost } from '../../../../support/assertions/bounds.ts'
import { testItem } from '../../../../support/flows/driving.ts'

const step = (node: string, value: string): FlowStep => {
  return { node, type: 'compute', inputs: { value }, result: value, port: 'next', fuel: 1 }
}

const answered = (steps: readonly FlowStep[], body: string | null = null): Reported => {
  const outcome = { kind: 'answered', status: 200, headers: {}, body } as const
  return {
    outcome,
    writes: [],
    emits: [{ eventId: 'e', webhooks: ['w', 'gone'], payload: '"secret"', node: 'tell' }],
    steps,
  }
}

test('a report has the steps, the response, and the emitted events without their payloads', (t) => {
  const report = reportOf(answered([step('a', 'x')], '{"ok":1.0,"n":9007199254740993}'), ['gone'])
  t.true(report.includes('"body":{"ok":1.0,"n":9007199254740993}'), 'a body is kept as it is')
  t.deepEqual(JSON.parse(report), {
    steps: [step('a', 'x')],
    omittedSteps: 0,
    writes: [],
    emits: [
      { webhookId: 'w', eventId: 'e', node: 'tell' },
      { webhookId: 'gone', eventId: 'e', node: 'tell', skipped: true },
    ],
    answer: { status: 200, headers: {}, body: { ok: 1, n: Number('9007199254740993') } },
  })
})

test('the first line of a report has everything but the steps', (t) => {
  for (const body of [null, '"a\\nb"', '{"steps":[1]}']) {
    const [first = '', rest = '', ...others] = reportOf(answered([step('a', 'x\ny')], body)).split('\n')
    t.deepEqual(others, [])
    t.deepEqual(Object.keys(JSON.parse(`${first.slice(0, -1)}}`)), ['answer', 'writes', 'emits'])
    t.deepEqual(JSON.parse(`{${rest}`), { steps: [step('a', 'x\ny')], omittedSteps: 0 })
  }
})

test('a response that is too long is left out, with a note: the limit of 4 KiB counts bytes', (t) => {
  const answerOf = (body: string | null, headers = {}) => {
    const outcome = { kind: 'answered', status: 200, headers, body } as const
    return JSON.parse(reportOf({ outcome, writes: [], emits: [], steps: [] })).answer
  }
  t.deepEqual(answerOf(`"${'語'.repeat(1_364)}"`), { status: 200, headers: {}, body: '語'.repeat(1_364) })
  t.deepEqual(answerOf(`"${'語'.repeat(1_365)}"`), { status: 200, headers: {}, cut: true })
  t.deepEqual(answerOf('1', { 'x-a': 'a'.repeat(4_096) }), { status: 200, headers: {}, body: 1, cut: true })
  t.deepEqual(answerOf(null), { status: 200, headers: {} })
})

test('the steps of a report have at most 64 KiB, and omitted steps are counted', (t) => {
  for (const text of ['x'.repeat(4_000), '語'.repeat(1_300)]) {
    const report = reportOf(answered(Array.from({ length: 200 }, (_, n) => step(`n${n}`, text))))
    t.true(Buffer.byteLength(report) <= 64 * 1_024)
    const { steps, omittedSteps } = JSON.parse(report)
    t.true(steps.length > 0)
    t.is(steps.length + omittedSteps, 200)
  }
})

test('the first line of a report has at most 128 KiB', (t) => {
  const id = 'i'.repeat(36)
  const node = 'n'.repeat(50)
  const item = testItem(id, '{}', { version: '9'.repeat(50) })
  const body = JSON.stringify('b'.repeat(4_094))
  const outcome = { kind: 'answered', status: 200, headers: { 'x-a': 'a'.repeat(4_080) }, body } as const
  const write = { op: 'create', list: 'l'.repeat(200), itemId: id, before: null, after: item, node } as const
  const emit = { eventId: id, webhooks: Array<string>(20).fill(id), payload: '1', node }
  const most = { outcome, writes: Array(100).fill(write), emits: Array(20).fill(emit) }
  const [first = '', rest] = reportOf({ ...most, steps: [step('a', 'x')] }, [id]).split('\n')
  atMost(t, Buffer.byteLength(first), 128 * 1_024, 'bytes')
  t.is(rest, '"steps":[],"omittedSteps":1}')
  const texts = { message: '語'.repeat(100_000), path: 'p'.repeat(100_000) }
  const failed = { kind: 'failed', code: 'X', status: 422, node, ...texts } as const
  const failure = reportOf({ outcome: failed, writes: [], emits: [], steps: [] })
  atMost(t, Buffer.byteLength(failure), 16 * 1_024, 'bytes')
})

test('a run that did not reach a node has an error without one', (t) => {
  const report = JSON.parse(failureReport({ name: 'FLOW_CONFLICT', status: 409, message: 'It kept changing.' }))
  const error = { code: 'FLOW_CONFLICT', status: 409, message: 'It kept changing.' }
  t.deepEqual(report, { error, writes: [], emits: [], steps: [], omittedSteps: 0 })
})
