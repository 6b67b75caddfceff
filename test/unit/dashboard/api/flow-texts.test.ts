import test from 'ava'
import { firstInput, isSameFlow, sentTexts, textsOf } from '#services/dashboard/api/flow-texts.ts'
import { exampleDocument, exampleTests } from '#services/dashboard/pages/flows/flow-example.ts'
import { entryWords, publicPath } from '#services/dashboard/pages/flows/flow-words.ts'
import { checkDefinition } from '#shared/domain/flow/definition.ts'
import { compact, layOut } from '#shared/json/text/layout.ts'

test('the example has no errors, and its tests pass', (t) => {
  const texts = { document: exampleDocument, tests: exampleTests }
  const checked = checkDefinition(texts, { lists: [], webhooks: [], maxItemBytes: 1_000 })
  t.deepEqual(checked.diagnostics, [])
  t.deepEqual(
    checked.tests.map(({ passed }) => passed),
    [true, true],
  )
})

test('the example is formatted as it is shown again', (t) => {
  t.is(exampleDocument, `${layOut(exampleDocument)}\n`)
  t.is(exampleTests, `${layOut(exampleTests)}\n`)
})

test('texts keep their numbers and the order of their keys', (t) => {
  const answer = '{"id":"1","document":{"b":9007199254740993,"a":1e400},"tests":null}'
  const texts = textsOf(answer)
  t.is(compact(texts.document), '{"b":9007199254740993,"a":1e400}')
  t.is(texts.tests, '')
  t.is(String(sentTexts(texts).document), texts.document)
  t.is(sentTexts(texts).tests, null)
  t.is(compact(textsOf('{"document":{},"tests":{"tests":[]}}').tests), '{"tests":[]}')
  t.throws(() => sentTexts({ document: '{', tests: '' }), { instanceOf: SyntaxError })
})

test('a flow is the same flow in another layout', (t) => {
  const texts = { document: '{"a":[1,2]}', tests: '' }
  t.true(isSameFlow(texts, { document: '{ "a": [1,\n2] }', tests: ' \n' }))
  t.false(isSameFlow(texts, { ...texts, tests: '{"tests":[]}' }))
  t.false(isSameFlow(texts, { ...texts, document: '{"a":[1,2]' }))
})

test('the first input to try is the input of the first test that has one', (t) => {
  t.is(firstInput(''), '{}')
  t.is(firstInput('{"tests": []}'), '{}')
  t.is(compact(firstInput('{"tests": [{"name": "a"}, {"input": {"n": 1e400}}, {"input": 2}]}')), '{"n":1e400}')
})

test('the start of a flow is described as a request', (t) => {
  t.is(entryWords({ entry: { type: 'endpoint', method: 'POST', path: 'cards/vote' } }), 'POST /flows/cards/vote')
  t.is(publicPath({ id: '1', public: true }), '/flows/public/1')
  t.is(publicPath({ id: '1', public: false }), null)
})
