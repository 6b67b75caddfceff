import test from 'ava'
import type { Index } from '#client/src/types/resources.ts'
import { columnsOf, leadColumn, shownColumns } from '#services/dashboard/pages/items/table/columns.ts'
import type { ItemRow } from '#services/dashboard/pages/items/table/item-rows.ts'

const index = (pointer: string, more: Partial<Index> = {}) =>
  ({ pointer, alias: false, guard: false, ...more }) as Index
const row = (dataText: string, more: Partial<ItemRow> = {}): ItemRow =>
  ({ dataText, tags: [], identity: null, version: '1.0.0', ...more }) as unknown as ItemRow
const names = (columns: readonly { name: string }[]) => columns.map(({ name }) => name)

test('the alias comes first, then pointers of indexes, then keys of the data, then fields of the item', (t) => {
  const indexes = [index('/serves'), index('/title'), index('/slug', { alias: true }), index('/a/b')]
  const columns = columnsOf(indexes, [row('{"x/y":1,"title":"t"}'), row('{"z":2}')])
  t.deepEqual(names(columns).slice(0, 6), ['/slug', '/serves', '/title', '/a/b', '/x~1y', '/z'])
  t.deepEqual(columns[3]?.label, 'a.b')
  t.is(names(columns).at(-1), 'id')
})

test('data that is not an object has one column', (t) => {
  t.deepEqual(names(columnsOf([], [row('5')]))[0], 'data')
  t.deepEqual(names(columnsOf([], [row('null')]))[0], 'tags')
})

const shownOf = (rows: readonly ItemRow[], indexes: Index[] = []) =>
  names(shownColumns(null, columnsOf(indexes, rows), rows))

test('six columns of data are shown until the user chooses columns', (t) => {
  t.deepEqual(shownOf([row('{"a":1,"b":1,"c":1,"d":1,"e":1,"f":1,"g":1}')]), [
    '/a',
    '/b',
    '/c',
    '/d',
    '/e',
    '/f',
    'updatedAt',
  ])
})

test('a column without information about the items of the page is not shown until the user chooses it', (t) => {
  const indexes = [index('/slug', { alias: true }), index('/a/b')]
  t.deepEqual(shownOf([row('{"x":1,"slug":null}'), row('{"x":null,"y":null}')], indexes), ['/x', 'updatedAt'])
  t.deepEqual(shownOf([row('{"x":1,"a":{"b":2}}')], indexes), ['/a/b', '/x', '/a', 'updatedAt'])
  const identity = { id: 'i', displayName: 'Ada' } as ItemRow['identity']
  t.deepEqual(shownOf([row('{"x":1}'), row('{}', { tags: ['new'], identity, version: '1.0.1' })]), [
    '/x',
    'tags',
    'identity',
    'version',
    'updatedAt',
  ])
})

test('chosen columns are in their order, even those that no item of the page has', (t) => {
  const shown = shownColumns(['size', '/never', '/a', 'nothing'], columnsOf([], [row('{"a":1}')]), [])
  t.deepEqual(names(shown), ['size', '/never', '/a'])
})

test('a title links to the item, else the alias, else the first column of data, else the id', (t) => {
  const lead = (indexes: Index[], data: string) =>
    leadColumn(shownColumns(null, columnsOf(indexes, [row(data)]), []))?.name
  t.is(lead([index('/slug', { alias: true })], '{"a":1,"title":"x"}'), '/title')
  t.is(lead([index('/slug', { alias: true })], '{"a":1}'), '/slug')
  t.is(lead([], '{"a":1}'), '/a')
  t.is(lead([], 'null'), 'id')
})
