import { readFileSync } from 'node:fs'
import test from 'ava'
import { functions } from '#shared/domain/expression/functions/functions.ts'
import { readFlow } from '#shared/domain/flow/language/document.ts'
import { eachNames, runNames } from '#shared/domain/flow/language/flow.ts'
import {
  documentProperties,
  endpointProperties,
  nodeProperties,
  type Properties,
} from '#shared/domain/flow/language/properties.ts'
import { failureStatus } from '#shared/domain/flow/run/failure.ts'
import { runFlowTests } from '#shared/domain/flow/tests/tests.ts'
import { readFlowTests } from '#shared/domain/flow/tests/tests-document.ts'
import { resultOf } from '#shared/json/text/result-of.ts'
import { compileSchema } from '#shared/json-schema/json-schema.ts'
import { runExpression } from '../../support/expressions/run-expression.ts'
import { testList } from '../../support/flows/flow-tests.ts'

const page = (name: string) => readFileSync(new URL(`../../../docs/flows/${name}.md`, import.meta.url), 'utf8')
const [documents, expressions, tests] = [page('documents'), page('expressions'), page('tests')]

const blocksOf = (text: string, language: string): string[] =>
  [...text.matchAll(new RegExp(`^\`\`\`${language}\n([^]*?)^\`\`\``, 'gm'))].map(([, block = '']) => block)

/** The table row that begins with these characters. */
const rowOf = (text: string, begin: string) => text.split('\n').find((line) => line.startsWith(`| ${begin}`)) ?? ''

test('the flow of the page is valid, and passes the tests of the page', (t) => {
  const { flow, diagnostics } = readFlow(blocksOf(documents, 'json')[0] ?? '')
  t.deepEqual(diagnostics, [])
  const read = readFlowTests(blocksOf(tests, 'json')[0] ?? '', flow?.lists ?? [])
  t.deepEqual(read.diagnostics, [])
  if (!flow || !read.tests) return
  const inputErrors = compileSchema(flow.entry.input ?? '{}')
  const world = { lists: new Map([['cards', testList()]]), inputErrors, maxItemBytes: 10_000 }
  const results = resultOf(runFlowTests(flow, read.tests, world))
  t.deepEqual(
    results.filter(({ passed }) => !passed),
    [],
  )
  t.is(results.length, 4)
})

test('every property of a document is on the page, at its node, with whether it is required', (t) => {
  for (const name of Object.keys({ ...documentProperties, ...endpointProperties }))
    t.true(rowOf(documents, `\`${name}\``) !== '', name)
  for (const [type, table] of Object.entries(nodeProperties)) {
    const row = rowOf(documents, `\`${type}\``)
    for (const [name, { required }] of Object.entries(table as Properties)) {
      t.true(row.includes(`\`${name}\``), `${type}: ${name}`)
      t.is(row.includes(`\`${name}\`\\*`), required === true, `${type}: ${name}`)
    }
  }
})

test('every error code is on the page, with its status', (t) => {
  for (const [code, status] of Object.entries(failureStatus))
    t.true(
      rowOf(documents, `\`${code}\``).includes(code === 'REQUIRE_FAILED' ? 'that of the node' : `| ${status} |`),
      code,
    )
})

test('every name and function of expressions is on the page', (t) => {
  for (const name of [...runNames, ...eachNames]) t.true(expressions.includes(`\`${name}\``), name)
  for (const name of functions.keys()) t.regex(expressions, new RegExp(`\`${name}[(\`]`), name)
})

const examples = blocksOf(expressions, 'text').flatMap((block) =>
  block.split('\n').filter((line) => line.includes('-->')),
)

test('the expressions of the page have the values of the page', (t) => {
  t.true(examples.length > 20)
  for (const example of examples) {
    const [text = '', value = ''] = example.split(' --> ')
    t.is(JSON.stringify(runExpression(text).value), value, text)
  }
})

test('the helpers of the page are valid', (t) => {
  const [helpers = ''] = blocksOf(expressions, 'text').filter((block) => block.includes('let '))
  t.is(runExpression('times(2)', { helpers }).value, 6)
})
