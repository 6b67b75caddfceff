import test from 'ava'
import { failurePlace, resultWords } from '#services/dashboard/pages/runs/run-words.ts'

const error = { code: 'EXPRESSION_ERROR', status: 422, message: 'm' }

test('the result of a run is its response, or the error with its node', (t) => {
  t.is(resultWords({ answer: { status: 204, headers: {} } }), 'answered 204')
  t.is(resultWords({ error: { ...error, node: 'card' } }), '422 EXPRESSION_ERROR at the node “card”')
  t.is(resultWords({ error }), '422 EXPRESSION_ERROR')
  t.is(resultWords({}), '')
})

test('a failure is located as precisely as possible', (t) => {
  t.is(failurePlace(error), '')
  t.is(failurePlace({ ...error, node: 'card' }), 'at the node “card”')
  t.is(
    failurePlace({ ...error, node: 'card', index: 0, path: 'nodes.0.data', line: 1, column: 8 }),
    'at the node “card”, for element 0 of each, in nodes.0.data, line 1, column 8',
  )
})
