import test from 'ava'
import { findingsInFile, readFlowFile, textsOf } from '#services/supervisor/remote/flows/flow-file.ts'
import { readDefinition } from '#shared/domain/flow/definition.ts'
import { documentOf } from '../../../../support/flows/documents.ts'

const nothingKnown = { lists: null, webhooks: null, maxItemBytes: 1_000 }

/** The findings in a file, each with the rest of its line from the position of the finding. */
function foundIn(text: string): [finding: string, from: string][] {
  const { flow, findings } = readFlowFile(text)
  const inTexts = flow ? findingsInFile(flow, readDefinition(textsOf(flow), nothingKnown).diagnostics) : []
  const lines = text.split('\n')
  return [...findings, ...inTexts].map(({ severity, code, path, line, column }) => [
    `${severity} ${code} ${path}`,
    lines[line - 1]?.slice(column - 1) ?? '',
  ])
}

const tests = { tests: [{ name: 'it greets', expect: { status: 200 } }] }

test('a file is a definition, or only a document', (t) => {
  const document = documentOf()
  const alone = readFlowFile(JSON.stringify(document, null, 2)).flow
  t.like(alone, { tests: undefined, settings: {} })
  t.deepEqual(alone && textsOf(alone), { document: JSON.stringify(document), tests: null })

  const definition = { document, tests, activated: false, logged: 'failures' }
  const { flow, findings } = readFlowFile(JSON.stringify(definition, null, '\t'))
  t.deepEqual(findings, [])
  t.deepEqual(flow?.settings, { activated: false, logged: 'failures' })
  t.deepEqual(flow && textsOf(flow), { document: JSON.stringify(document), tests: JSON.stringify(tests) })
  t.is(readFlowFile(JSON.stringify({ document, tests: null })).flow?.tests, null)
})

test('numbers and the order of keys are sent as in the file', (t) => {
  const { flow } = readFlowFile('{ "tests" : {"10": 9007199254740993, "2": 1.0},\n "document": [1e400] }')
  t.deepEqual(flow && textsOf(flow), { document: '[1e400]', tests: '{"10":9007199254740993,"2":1.0}' })
})

const wrong = { ...documentOf(), nodes: [{ id: 'answer', type: 'respond', body: 'a "text" and inputt' }] }

for (const indent of [0, 1, 2, '\t'])
  test(`a finding is reported at its position in the file, with an indent of ${JSON.stringify(indent)}`, (t) => {
    for (const [value, path] of [
      [wrong, 'nodes.0.body'],
      [{ tests, document: wrong }, 'document.nodes.0.body'],
    ] as const) {
      const [[finding, from] = [], ...others] = foundIn(JSON.stringify(value, null, indent))
      t.deepEqual(others, [])
      t.is(finding, `error EXPRESSION ${path}`)
      t.regex(from ?? '', /^\\"text\\" and inputt"/)
    }
    const inTests = foundIn(JSON.stringify({ document: documentOf(), tests: { tests: [{ nam: 'x' }] } }, null, indent))
    t.regex(inTests.find(([finding]) => finding === 'error UNKNOWN_PROPERTY tests.tests.0.nam')?.[1] ?? '', /^"x"/)
  })

const rejected: [text: string, finding: string, from: string][] = [
  ['{"document": {},\n "activated": 1}', 'error WRONG_TYPE activated', '1}'],
  ['{"document": {},\n "logged": "some"}', 'error INVALID logged', '"some"}'],
  ['{"document": {},\n "activate": true}', 'error UNKNOWN_PROPERTY activate', 'true}'],
  ['{"document": {},\n "activated": null}', 'error WRONG_TYPE activated', 'null}'],
  ['{"document": {},\n "__proto__": {}}', 'error UNKNOWN_PROPERTY __proto__', '{}}'],
  ['{"document": {}\n "tests": 1}', 'error JSON ', '"tests": 1}'],
  ['{"document": 1,\n "document": 2}', 'error JSON ', '"document": 2}'],
  ['', 'error JSON ', ''],
  ['[]', 'error WRONG_TYPE ', '[]'],
  ['{"document": \n7}', 'error WRONG_TYPE document', '7}'],
  [`{"document":\n"${'x'.repeat(256 * 1024)}"}`, 'error TOO_LARGE document', `"${'x'.repeat(256 * 1024)}"}`],
]

test('anything that is not a definition is rejected, with line and column', (t) => {
  for (const [text, finding, from] of rejected) t.deepEqual(foundIn(text)[0], [finding, from], text.slice(0, 60))
})

test('white space does not count toward the length of a document', (t) => {
  t.deepEqual(foundIn(JSON.stringify(documentOf(), null, 2) + ' '.repeat(256 * 1024)), [])
})
