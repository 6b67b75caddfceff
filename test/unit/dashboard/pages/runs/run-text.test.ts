import test from 'ava'
import { expressionAt, pointedIn, pointedLine, readRun } from '#services/dashboard/pages/runs/run-text.ts'
import { layOut } from '#shared/json/text/layout.ts'

const run = `{"id":"r","flowId":"f","flowVersion":2,"trigger":{"type":"endpoint","requestId":"q"},"status":"succeeded","attempts":1,
"startedAt":"2026-01-01T00:00:00.000Z","durationMs":3,"fuel":9,"answer":{"status":200,"headers":{},"body":{"n":9007199254740993}},
"writes":[],"emits":[],"steps":[{"node":"a","type":"compute","inputs":{"value":9007199254740993,"__proto__":"x"},"result":1e400,
"port":"next","fuel":4,"durationMs":0.25},{"node":"b","type":"respond","inputs":{},"result":null,"port":null,"fuel":1,"cut":true}],
"omittedSteps":3,"seed":"s","input":{"b":1.50,"a":2}}`

test('the values of a run are unchanged text: no number loses a digit, no key its position', (t) => {
  const { steps, omittedSteps, input, body, run: read } = readRun(run)
  t.deepEqual(steps, [
    {
      node: 'a',
      type: 'compute',
      port: 'next',
      fuel: 4,
      durationMs: 0.25,
      cut: false,
      inputs: [
        ['value', '9007199254740993'],
        ['__proto__', '"x"'],
      ],
      result: '1e400',
    },
    { node: 'b', type: 'respond', port: null, fuel: 1, durationMs: null, cut: true, inputs: [], result: 'null' },
  ])
  t.is(omittedSteps, 3)
  t.is(input, '{"b":1.50,"a":2}')
  t.is(body, '{"n":9007199254740993}')
  t.like(read, { id: 'r', status: 'succeeded', answer: { status: 200 } })
})

test('values that a run did not store are null', (t) => {
  const { steps, input, body, omittedSteps } = readRun(
    '{"id":"r","status":"refused","error":{"code":"X"},"writes":[],"emits":[]}',
  )
  t.deepEqual([steps, input, body, omittedSteps], [[], null, null, 0])
  t.is(readRun('{"answer":{"status":200,"headers":{},"cut":true}}').body, null)
})

test('the failed expression is found in the document, with its line and column', (t) => {
  const document = '{"helpers":"let a = 1;","nodes":[{"when":"one\\ntwo + x"},{"where":{"a b":"1"}}]}'
  t.is(expressionAt(document, 'nodes.0.when'), 'one\ntwo + x')
  t.is(expressionAt(layOut(document), 'nodes.0.when'), 'one\ntwo + x')
  t.is(expressionAt(document, 'helpers'), 'let a = 1;')
  for (const path of ['nodes.7.when', 'nodes', '', 'nodes.0.when.x', '__proto__'])
    t.is(expressionAt(document, path), null, path)
  t.is(pointedLine('one\ntwo + x', { line: 2, column: 7 }), 'two + x\n      ^')
  const error = { code: 'X', status: 422, message: 'm', path: 'nodes.0.when', line: 2, column: 5 }
  t.is(pointedIn(document, error), 'two + x\n    ^')
  t.is(pointedIn(document, { ...error, path: 'nodes.9' }), undefined)
  t.is(pointedIn(document, undefined), undefined)
  t.is(pointedLine('one', { line: 1, column: 99 }), 'one\n   ^')
  t.is(pointedLine('one', { line: 9, column: 1 }), '\n^')
})
