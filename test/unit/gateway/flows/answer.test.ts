import test from 'ava'
import { failureOf, withRun } from '#services/gateway/resources/flows/answer.ts'
import { AppError } from '#shared/errors.ts'

test('the log of a request names the run that failed, with its code and node, and nothing of its input', (t) => {
  const failed = {
    kind: 'failed',
    code: 'NOT_FOUND',
    status: 404,
    message: "there's no item soup",
    node: 'card',
  } as const
  const error = withRun(failureOf(failed), 'the-run')
  t.is(error.reason, 'run the-run, NOT_FOUND at card')
  t.like(error.headers, { 'x-flow-run': 'the-run' })
})

test('a run that did not come to a node is named alone, and a reason that is known stays', (t) => {
  t.is(withRun(new AppError('FLOW_CONFLICT'), 'the-run').reason, 'run the-run')
  t.is(withRun(new AppError('SERVICE_UNAVAILABLE', { reason: 'away' }), 'the-run').reason, 'away')
})
