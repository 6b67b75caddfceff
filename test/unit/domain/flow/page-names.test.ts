import test from 'ava'
import { type KnownToFlows, readFlow } from '#shared/domain/flow/language/document.ts'
import { addUnservedNames } from '#shared/domain/flow/page-names.ts'
import { documentText } from '../../../support/flows/documents.ts'
import { testList } from '../../../support/flows/flow-tests.ts'

const { indexes } = testList([
  { pointer: '/state', pathName: 'state', filtering: true },
  { pointer: '/n', pathName: 'n', valueType: 'number', sorting: true },
  { pointer: '/secret', pathName: 'secret', guard: true },
])

function warnings(node: Record<string, unknown>): string[] {
  const nodes = [
    { id: 'found', type: 'list-items', list: 'Cards', ...node },
    { id: 'end', type: 'respond', body: 'steps.found' },
  ]
  const known: KnownToFlows = {
    lists: new Set(['cards']),
    addUnserved: (found) => addUnservedNames(found, new Map([['cards', indexes]])),
  }
  const { flow, diagnostics } = readFlow(documentText({ nodes, edges: [['found', 'end']] }), known)
  return diagnostics.map(({ severity, path, code, message }) => {
    return [severity, flow !== null, path, code, message].join(' ')
  })
}

const cases: [node: Record<string, unknown>, warning: RegExp | null][] = [
  [{ where: { state: 'input', 'index.State': 'input', mine: 'true', createdAt: 'now', or: '[]' } }, null],
  [{ where: { or: '[{state: 1}, {not: {"index.state": 2}}]', and: 'input.and' } }, null],
  [{ where: { alias: '"a"' } }, /where\.alias UNKNOWN_INDEX is not known: the list has no alias index$/],
  [
    { where: { or: '[{state: 1}, {and: [{stat: 2}]}]' } },
    /nodes\.0\.where\.or UNKNOWN_INDEX has the condition "stat", which is not known; did you mean "state"\?$/,
  ],
  [
    { where: { not: '{n: 1}' } },
    /where\.not INDEX_NOT_USABLE has the condition "n", which cannot be used: The index does not have "filtering"/,
  ],
  [{ order: 'size' }, /nodes\.0\.order INDEX_NOT_USABLE cannot be size for nodes that are not guarded/],
  [{ where: { size: '1' } }, /nodes\.0\.where\.size INDEX_NOT_USABLE cannot be used for nodes that are not guarded/],
  [{ order: 'size', where: { size: '1' }, guarded: true }, null],
  [{ order: 'n' }, null],
  [{ order: 'updatedAt' }, null],
  [
    { where: { stat: 'input' } },
    /^warning true nodes\.0\.where\.stat UNKNOWN_INDEX is not known; did you mean "state"\?$/,
  ],
  [{ where: { n: '1' } }, /where\.n INDEX_NOT_USABLE cannot be used: The index does not have "filtering" turned on\.$/],
  [
    { where: { secre: '1' } },
    /where\.secre UNKNOWN_INDEX is not known; a condition is named like an index of the list/,
  ],
  [
    { where: { search: '"soup"' } },
    /where\.search INDEX_NOT_USABLE cannot be used: No index of the list has "searching"/,
  ],
  [
    { order: 'state' },
    /nodes\.0\.order INDEX_NOT_USABLE cannot be used: The index does not have "sorting" turned on\.$/,
  ],
  [{ order: 'updatedBy' }, /nodes\.0\.order UNKNOWN_INDEX must be one of createdAt, .* or an index of the list$/],
  [{ list: 'others', where: { stat: '1' } }, /^error false nodes\.0\.list UNKNOWN_LIST/],
]
for (const [node, warning] of cases) {
  test(`a page ${JSON.stringify(node)} ${warning ? 'has a warning' : 'has no warning'}`, (t) => {
    const [first = '', second] = warnings(node)
    t.is(second, undefined)
    if (warning) t.regex(first, warning)
    else t.is(first, '')
  })
}
