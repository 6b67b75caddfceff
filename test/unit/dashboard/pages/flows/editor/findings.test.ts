import test from 'ava'
import { checkTexts } from '#services/dashboard/pages/flows/editor/check-texts.ts'
import { findingAtPointer, findingsIn, findingsInCompact } from '#services/dashboard/pages/flows/editor/findings.ts'
import { readFlow } from '#shared/domain/flow/language/document.ts'
import { compact } from '#shared/json/text/layout.ts'

const document = `{
  "version": 1,
  "name": "A \\"B\\" é",
  "entry": { "type": "endpoint", "path": "a" },
  "nodes": [
    { "id": "one", "type": "compute",
      "value": "\\"x\\" + inpt.y" },
    {   "id" : "two", "type": "respnd" }
  ],
  "edges": [["one", "two"]]
}`

test('findings of the page and of the service in the compact text are marked at the same positions', (t) => {
  const here = findingsIn(document, readFlow(document).diagnostics)
  const there = findingsInCompact(document, readFlow(compact(document)).diagnostics)
  t.deepEqual(here, there)
  t.deepEqual(
    here.map(({ from, to, line, column }) => [document.slice(from, to), line, column]),
    [
      ['inpt', 7, 25],
      ['"respnd"', 8, 31],
    ],
  )
  t.regex(here[0]?.message ?? '', /^nodes\.0\.value there is no "inpt" here/)
})

test('text that is not valid JSON is marked where it stops being valid', (t) => {
  const text = '{\n  "version": 1,\n}'
  const [found] = findingsIn(text, readFlow(text).diagnostics)
  t.like(found, { line: 3, column: 1, severity: 'error' })
  t.is(text.slice(found?.from, found?.to), '}')
  t.deepEqual(
    findingsIn('', readFlow('').diagnostics).map(({ from, to }) => [from, to]),
    [[0, 0]],
  )
})

test('positions beyond the text are its end', (t) => {
  const reported = { severity: 'error', message: 'm', path: 'p', line: 1, column: 900 } as const
  for (const find of [findingsIn, findingsInCompact])
    t.deepEqual(
      find('{}', [reported]).map(({ from, to, message }) => [from, to, message]),
      [[2, 2, 'p m']],
    )
})

test('an error without its own position is shown at its subject', (t) => {
  const { from, to } = findingAtPointer(document, '/entry/path', 'is taken')
  t.is(document.slice(from, to), '"a"')
})

test('the tests of a document that is not valid JSON are not read: its lists are unknown', (t) => {
  const tests = '{"items": {"cards": {}}, "tests": []}'
  t.is(checkTexts({ document: '{', tests }).tests.length, 0)
  t.is(checkTexts({ document, tests: ' ' }).tests.length, 0)
  t.like(checkTexts({ document: '{"nodes": []}', tests }).tests, [{ code: 'UNKNOWN_LIST' }])
  t.deepEqual(checkTexts({ document: '{"nodes": [{"list": "Cards"}]}', tests }).tests, [])
  t.like(checkTexts({ document, tests: '[' }).tests, [{ code: 'JSON' }])
})
