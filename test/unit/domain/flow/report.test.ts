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
    emits: [{ eventId: 'e', webhooks: ['w'], payload: '"secret"', node: 'tell' }],
    reads: [],
    steps,
    fuel: 1,
  }
}

test('a report has the steps, the answer, and of what was emitted not the payload', (t) => {
  t.deepEqual(JSON.parse(reportOf(answered([step('a', 'x')], '{"ok":true}'), ['w', 'other'])), {
    steps: [step('a', 'x')],
    omittedSteps: 0,
    writes: [],
    emits: [{ eventId: 'e', webhooks: ['w'], skipped: ['w'], node: 'tell' }],
    answer: { status: 200, headers: {}, body: '{"ok":true}' },
    error: null,
  })
})

test('a value that is too long is left out, and the step says so', (t) => {
  const { steps, answer } = JSON.parse(reportOf(answered([step('a', 'x'.repeat(5_000))], `"${'x'.repeat(5_000)}"`)))
  t.like(steps[0], { inputs: { value: null }, result: null, cut: true })
  t.like(answer, { body: null, cut: true })
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
  t.like(report, { steps: [], answer: null, error: { code: 'FLOW_CONFLICT', status: 409, node: '' } })
})
