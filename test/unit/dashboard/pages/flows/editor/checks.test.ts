import test from 'ava'
import { ListdError } from '#client/src/error.ts'
import { failedTests, hasErrors, rejectionOf } from '#services/dashboard/pages/flows/editor/checks.ts'

const texts = { document: '{\n  "name": "A",\n  "entry": { "path": "a" }\n}', tests: '{ "tests": [] }' }
const rejected = (name: ListdError['name'], details = {}) =>
  rejectionOf(texts, new ListdError({ name, message: 'Why.', status: 400, details }))

test('a rejection is shown where the texts are wrong', (t) => {
  const diagnostic = { severity: 'error', code: 'X', path: 'name', message: 'is wrong', line: 1 }
  const diagnostics = [
    { ...diagnostic, source: 'document', column: 9 },
    { ...diagnostic, source: 'tests', column: 10, path: 'tests' },
  ]
  t.like(rejected('FLOW_INVALID', { diagnostics })?.findings, {
    document: [{ line: 2, column: 11, message: 'name is wrong' }],
    tests: [{ line: 1, column: 12 }],
  })
  t.like(rejected('FLOW_NAME_TAKEN')?.findings?.document, [{ line: 2, column: 11, message: 'Why.' }])
  t.like(rejected('FLOW_PATH_TAKEN')?.findings?.document, [{ line: 3, column: 22 }])
})

test('tests that failed are reported as results', (t) => {
  const results = rejected('FLOW_TESTS_FAILED', { failures: [{ name: 'one', message: 'body is 1, not 2' }] })?.results
  t.deepEqual(results, [{ name: 'one', message: 'body is 1, not 2', passed: false }])
  t.is(failedTests({ results: results ?? null }), 1)
  t.is(failedTests({ results: null }), 0)
})

test('a rejection that does not concern the texts is reported unchanged', (t) => {
  t.is(rejected('MAX_FLOWS_EXCEEDED'), null)
  t.is(rejected('CONNECTION_FAILED'), null)
})

test('details of another form are ignored', (t) => {
  t.deepEqual(rejected('FLOW_INVALID', { diagnostics: 'x' })?.findings, { document: [], tests: [] })
  t.deepEqual(rejected('FLOW_TESTS_FAILED')?.results, [])
})

test('warnings are not errors', (t) => {
  const finding = { from: 0, to: 1, line: 1, column: 1, message: 'm' }
  t.false(hasErrors({ document: [{ ...finding, severity: 'warning' }], tests: [] }))
  t.true(hasErrors({ document: [], tests: [{ ...finding, severity: 'error' }] }))
})
