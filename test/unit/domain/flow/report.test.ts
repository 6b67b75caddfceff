import test from 'ava'
import type { FlowResult, FlowStep } from '#shared/domain/flow/driver.ts'
import { failureReport, reportOf } from '#shared/domain/flow/report.ts'

const step = (node: string, value: string): FlowStep => {
  return { node, type: 'compute', inputs: { value }, result: value, port: 'next', fuel: 1 }
}

const answered = (steps: readonly FlowStep[], body: string | null = null): FlowResult => {
  const outcome = { kind: 'answered', status: 200, headers: {}, body } as const
  return {
    outcome,
    writes: [],
    emits: [{ eventId: 'e', webhooks: ['w', 'gone'], payload: '"secret"', node: 'tell' }],
    reads: [],
    steps,
    fuel: 1,
  }
}

test('a report has the steps, the answer, and of what was emitted not the payload', (t) => {
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

test('the first line of a report has all but the steps', (t) => {
  for (const body of [null, '"a\\nb"', '{"steps":[1]}']) {
    const [first = '', rest = '', ...others] = reportOf(answered([step('a', 'x\ny')], body)).split('\n')
    t.deepEqual(others, [])
    t.deepEqual(Object.keys(JSON.parse(`${first.slice(0, -1)}}`)), ['answer', 'writes', 'emits'])
    t.deepEqual(JSON.parse(`{${rest}`), { steps: [step('a', 'x\ny')], omittedSteps: 0 })
  }
})

test('a value that is too long is left out, and the step or the answer says so', (t) => {
  const { steps, answer } = JSON.parse(reportOf(answered([step('a', 'x'.repeat(5_000))], `"${'x'.repeat(5_000)}"`)))
  t.like(steps[0], { inputs: { value: null }, result: null, cut: true })
  t.deepEqual(answer, { status: 200, headers: {}, cut: true })
  t.deepEqual(JSON.parse(reportOf(answered([]))).answer, { status: 200, headers: {} })
})

test('a report of any run is at most 64 Ki characters, and counts the steps that it leaves out', (t) => {
  const report = reportOf(answered(Array.from({ length: 200 }, (_, n) => step(`n${n}`, 'x'.repeat(4_000)))))
  t.true(report.length <= 64 * 1_024)
  const { steps, omittedSteps } = JSON.parse(report)
  t.true(steps.length > 0)
  t.is(steps.length + omittedSteps, 200)
})

test('a run that did not come to a node has an error without one', (t) => {
  const report = JSON.parse(failureReport({ name: 'FLOW_CONFLICT', status: 409, message: 'It kept changing.' }))
  const error = { code: 'FLOW_CONFLICT', status: 409, message: 'It kept changing.' }
  t.deepEqual(report, { error, writes: [], emits: [], steps: [], omittedSteps: 0 })
})
