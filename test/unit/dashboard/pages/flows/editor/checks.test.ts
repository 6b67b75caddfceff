import test from 'ava'
import { ListdError } from '#client/src/error.ts'
import { failedTests, hasErrors, refusalOf } from '#services/dashboard/pages/flows/editor/checks.ts'

const texts = { document: '{\n  "name": "A",\n  "entry": { "path": "a" }\n}', tests: '{ "tests": [] }' }
const refused = (name: ListdError['name'], details = {}) =>
  refusalOf(texts, new ListdError({ name, message: 'Why.', status: 400, details }))

test('a refusal stands where the texts say what is wrong', (t) => {
  const diagnostic = { severity: 'error', code: 'X', path: 'name', message: 'is wrong', line: 1 }
  const diagnostics = [
    { ...diagnostic, source: 'document', column: 9 },
    { ...diagnostic, source: 'tests', column: 10, path: 'tests' },
  ]
  t.like(refused('FLOW_INVALID', { diagnostics })?.findings, {
    document: [{ line: 2, column: 11, message: 'name is wrong' }],
    tests: [{ line: 1, column: 12 }],
  })
  t.like(refused('FLOW_NAME_TAKEN')?.findings?.document, [{ line: 2, column: 11, message: 'Why.' }])
  t.like(refused('FLOW_PATH_TAKEN')?.findings?.document, [{ line: 3, column: 22 }])
})

test('tests that failed are told as results', (t) => {
  const results = refused('FLOW_TESTS_FAILED', { failures: [{ name: 'one', message: 'body is 1, not 2' }] })?.results
  t.deepEqual(results, [{ name: 'one', message: 'body is 1, not 2', passed: false }])
  t.is(failedTests({ results: results ?? null }), 1)
  t.is(failedTests({ results: null }), 0)
})

test('a refusal that says nothing of the texts is told as it is', (t) => {
  t.is(refused('MAX_FLOWS_EXCEEDED'), null)
  t.is(refused('CONNECTION_FAILED'), null)
})

test('details of another form are nothing', (t) => {
  t.deepEqual(refused('FLOW_INVALID', { diagnostics: 'x' })?.findings, { document: [], tests: [] })
  t.deepEqual(refused('FLOW_TESTS_FAILED')?.results, [])
})

test('warnings are no errors', (t) => {
  const finding = { from: 0, to: 1, line: 1, column: 1, message: 'm' }
  t.false(hasErrors({ document: [{ ...finding, severity: 'warning' }], tests: [] }))
  t.true(hasErrors({ document: [], tests: [{ ...finding, severity: 'error' }] }))
})
