import test from 'ava'
import { renderFindings, renderTests } from '#services/supervisor/remote/flows/render-report.ts'
import { throwIfAnyFailed } from '#services/supervisor/remote/flows/report.ts'
import { plain } from '#services/supervisor/remote/paint.ts'
import type { Diagnostic } from '#shared/domain/flow/language/diagnostics.ts'
import type { FlowTestResult } from '#shared/domain/flow/tests/tests.ts'

const error: Diagnostic = {
  severity: 'error',
  code: 'EXPRESSION',
  message: 'there is no "a\u001b[2J" here',
  path: 'nodes.0.when',
  line: 3,
  column: 14,
}
const warning: Diagnostic = { ...error, severity: 'warning', code: 'DEAD_END', message: 'leads nowhere', path: '' }

test('findings are lines that editors parse, and none of their characters moves the cursor', (t) => {
  t.is(
    renderFindings({ file: 'vote.json', diagnostics: [error, warning] }),
    'vote.json:3:14 error EXPRESSION nodes.0.when there is no "a\u{FFFD}[2J" here\n' +
      'vote.json:3:14 warning DEAD_END the document leads nowhere\n',
  )
})

const results: FlowTestResult[] = [
  { name: 'a vote counts', passed: true },
  {
    name: 'once\u0007',
    passed: false,
    message: 'body.n is 2, not 3',
    actual: { status: 201, body: { n: 2, text: 'x'.repeat(5_000) } },
  },
  {
    name: 'known',
    passed: false,
    message: 'it failed with 401: no',
    actual: { status: 401, body: null, error: 'it failed with 401: no' },
  },
  { name: 'empty', passed: false, message: 'status is 204, not 200', actual: { status: 204, body: null } },
]

test('a failed test is shown with the expected and the actual result', (t) => {
  const lines = renderTests({ file: 'vote.json', diagnostics: [warning], tests: results }, plain).split('\n')
  t.is(lines[3]?.length, '    it answered 201'.length + 2_000 + '…'.length)
  lines[3] = lines[3]?.slice(0, 35) ?? ''
  t.deepEqual(lines, [
    '✔ a vote counts',
    '✗ once\u{FFFD}',
    '    body.n is 2, not 3',
    '    it answered 201: {"n":2,"text":',
    '✗ known',
    '    it failed with 401: no',
    '✗ empty',
    '    status is 204, not 200',
    '    it answered 204',
    'vote.json: 1 of 4 tests passed.',
    '',
  ])
})

test('the tests of a flow with an error are not run, and a flow without tests says so', (t) => {
  t.is(renderTests({ file: 'vote.json', diagnostics: [error], tests: [] }, plain), '')
  t.is(renderTests({ file: 'vote.json', diagnostics: [], tests: [] }, plain), 'vote.json has no tests.\n')
})

test('errors and failed tests of all files are counted, and warnings do not count as failures', (t) => {
  const report = { file: 'vote.json', diagnostics: [error, warning], tests: [] }
  t.throws(() => throwIfAnyFailed([report]), { message: 'there is 1 error.' })
  const tested = { file: 'greet.json', diagnostics: [warning], tests: results }
  t.throws(() => throwIfAnyFailed([tested]), { message: '3 of 4 tests failed.' })
  t.throws(() => throwIfAnyFailed([report, tested, report]), {
    message: 'there are 2 errors, and 3 of 4 tests failed.',
  })
  t.notThrows(() => throwIfAnyFailed([{ ...tested, tests: results.slice(0, 1) }]))
})
