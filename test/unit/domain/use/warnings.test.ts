import test from 'ava'
import { type Dependent, type Use, useKey } from '#shared/domain/use/use.ts'
import { lossWarnings } from '#shared/domain/use/warnings.ts'

const use: Use = { kind: 'filter', list: 'cards', name: 'minutes' }
const losses = [{ use, cause: 'The index minutes is deleted' }]
const flows = (...names: string[]): Dependent[] => names.map((name) => ({ kind: 'flow', id: name, name }))

function warnings(dependents: readonly Dependent[], mayName = (_: Dependent) => true, isCut = false): string[] {
  return lossWarnings(losses, { byUse: new Map([[useKey(use), dependents]]), isCut }, mayName)
}

const cases: [names: string[], words: string][] = [
  [['Vote'], 'the flow "Vote" filters by it.'],
  [['Vote', 'Tally'], 'the flows "Tally" and "Vote" filter by it.'],
  [['c', 'a', 'b'], 'the flows "a", "b" and "c" filter by it.'],
  [['a', 'b', 'c', 'd', 'e', 'f'], 'the flows "a", "b", "c", "d", "e" and 1 other filter by it.'],
  [['a "b"'], 'the flow "a \\"b\\"" filters by it.'],
]
for (const [names, words] of cases) {
  test(`${names.length} dependents are described by their names: ${words}`, (t) => {
    t.deepEqual(warnings(flows(...names)), [`The index minutes is deleted, and ${words}`])
  })
}

test('dependents that may not be named are counted', (t) => {
  const named = (dependents: Dependent[], ...names: string[]) =>
    warnings(dependents, ({ name }) => names.includes(name))[0]?.replace(/^.*, and /, '')
  t.is(named(flows('a')), '1 flow filters by it.')
  t.is(named(flows('a', 'b')), '2 flows filter by it.')
  t.is(named(flows('a', 'b', 'c'), 'b'), 'the flows "b" and 2 others filter by it.')
})

test('without dependents there is no warning, and missing ones are mentioned once', (t) => {
  t.deepEqual(warnings([]), [])
  t.deepEqual(
    lossWarnings([], { byUse: new Map(), isCut: true }, () => true),
    [],
  )
  t.deepEqual(
    warnings([], () => true, true),
    ['There are too many dependents to look up all of them.'],
  )
})
