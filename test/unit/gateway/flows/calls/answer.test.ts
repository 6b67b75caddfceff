import test from 'ava'
import {
  answerAgain,
  answerOf,
  failureOf,
  keptAnswer,
  withRun,
} from '#services/gateway/resources/flows/calls/answer.ts'
import { AppError } from '#shared/errors.ts'

const run = { flowId: 'the-flow', runId: 'the-run' }

test('the log of a request names the run that failed, with its code and node, and nothing of its input', (t) => {
  const failed = {
    kind: 'failed',
    code: 'NOT_FOUND',
    status: 404,
    message: "there's no item soup",
    node: 'card',
  } as const
  const error = withRun(failureOf(failed), run)
  t.is(error.reason, 'NOT_FOUND at card')
  t.is(error.run, run)
  t.like(error.headers, { 'x-flow-run': 'the-run' })
})

test('a run that did not come to a node is named alone, and a reason that is known stays', (t) => {
  t.like(withRun(new AppError('FLOW_CONFLICT'), run), { run, reason: undefined })
  t.like(withRun(new AppError('SERVICE_UNAVAILABLE', { reason: 'away' }), run), { run, reason: 'away' })
})

test('the log of a request names the flow and the run that answered, the first one where it was sent again', (t) => {
  const answered = { kind: 'answered', status: 200, headers: {}, body: '1' } as const
  t.is(answerOf(answered, run).run, run)
  t.deepEqual(answerAgain(keptAnswer(answered, 'the-run'), 'the-flow').run, run)
})
