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

test('the log of a request names the failed run, with its code and node, and nothing of its input', (t) => {
  const failed = {
    kind: 'failed',
    code: 'NOT_FOUND',
    status: 404,
    message: 'there is no item soup',
    node: 'card',
  } as const
  const error = withRun(failureOf(failed), run)
  t.is(error.reason, 'NOT_FOUND at card')
  t.is(error.run, run)
  t.like(error.headers, { 'x-flow-run': 'the-run' })
})

test('the caller of a failed run sees code, node and position, and nothing that the run has read', (t) => {
  const place = { path: 'nodes.0.value', line: 1, column: 6, index: 2 }
  const at = { kind: 'failed', node: 'card', ...place } as const
  const failed = {
    ...at,
    code: 'EXPRESSION_ERROR',
    status: 422,
    message: 'date takes a date as argument 1, not "1-800-SECRET"',
  }
  t.like(failureOf(failed), {
    name: 'FLOW_FAILED',
    status: 422,
    message: 'an expression of the flow cannot be evaluated',
  })
  t.deepEqual(failureOf(failed).details, { code: 'EXPRESSION_ERROR', node: 'card', place })
  const required = {
    kind: 'failed',
    code: 'REQUIRE_FAILED',
    status: 409,
    message: 'Sold out.',
    node: 'enough',
  } as const
  t.like(failureOf(required), { status: 409, message: 'Sold out.' })
  t.deepEqual(failureOf(required).details, { code: 'REQUIRE_FAILED', node: 'enough' })
})

test('the error of a run without a node names only the run, and keeps its reason', (t) => {
  t.like(withRun(new AppError('FLOW_CONFLICT'), run), { run, reason: undefined })
  t.like(withRun(new AppError('SERVICE_UNAVAILABLE', { reason: 'away' }), run), { run, reason: 'away' })
})

test('the log of a request names the flow and the run that answered, and the first run if the request was repeated', (t) => {
  const answered = { kind: 'answered', status: 200, headers: {}, body: '1' } as const
  t.is(answerOf(answered, run).run, run)
  t.deepEqual(answerAgain(keptAnswer(answered, 'the-run'), 'the-flow').run, run)
})
