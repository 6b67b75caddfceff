import test from 'ava'
import { flowChanges } from '#services/dashboard/pages/flows/flow-changes.ts'

const node = (id: string, more: object) => ({ id, type: 'compute', ...more })
const texts = (document: object, tests?: object) => ({
  document: JSON.stringify(document, null, 2),
  tests: tests ? JSON.stringify(tests, null, 2) : '',
})

test('a change in a node or a test is described by its name, wherever it is', (t) => {
  const before = texts(
    { name: 'Quote', nodes: [node('gone', { value: '1' }), node('total', { value: 'a' })] },
    { tests: [{ name: 'a small order', expect: { total: 1 } }] },
  )
  const after = texts(
    { name: 'Quotes', nodes: [node('total', { value: 'b' }), node('more', { value: '2' })] },
    { tests: [{ name: 'a small order', expect: { total: 2 } }] },
  )
  t.deepEqual(
    flowChanges(before, after).map(({ kind, pointer }) => [kind, pointer]),
    [
      ['changed', '/name'],
      ['removed', 'node “gone”'],
      ['changed', 'node “total” value'],
      ['added', 'node “more”'],
      ['changed', 'test “a small order” expect total'],
    ],
  )
})

test('tests that a version adds or removes are one change', (t) => {
  const [without, withTests] = [texts({ nodes: [] }), texts({ nodes: [] }, { tests: [] })]
  t.deepEqual(flowChanges(without, withTests), [
    { kind: 'changed', pointer: 'the tests', from: 'null', to: '{"tests":[]}' },
  ])
  t.deepEqual(flowChanges(withTests, without), [
    { kind: 'changed', pointer: 'the tests', from: '{"tests":[]}', to: 'null' },
  ])
})

test('tests with the same name are compared by position', (t) => {
  const both = (total: number) => texts({}, { tests: [{ name: 'a' }, { name: 'a', expect: { total } }] })
  t.deepEqual(
    flowChanges(both(1), both(2)).map(({ pointer }) => pointer),
    ['/tests/1/expect/total'],
  )
})

test('a change of layout is not a change', (t) => {
  t.deepEqual(flowChanges({ document: '{"a": [1,\n 2]}', tests: '' }, { document: '{"a":[1,2]}', tests: '' }), [])
})
