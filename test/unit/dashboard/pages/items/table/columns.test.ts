import test from 'ava'
import type { Index } from '#client/src/types/resources.ts'
import { columnsOf, leadColumn, shownColumns } from '#services/dashboard/pages/items/table/columns.ts'
import type { ItemRow } from '#services/dashboard/pages/items/table/item-rows.ts'

const index = (pointer: string, more: Partial<Index> = {}) =>
  ({ pointer, alias: false, guard: false, ...more }) as Index
const row = (dataText: string, tags: string[] = []) => ({ dataText, tags }) as unknown as ItemRow
const names = (columns: readonly { name: string }[]) => columns.map(({ name }) => name)

test('the alias comes first, then pointers of indexes, then keys of the data, then fields of the item', (t) => {
  const indexes = [index('/serves'), index('/title'), index('/slug', { alias: true }), index('/a/b')]
  const columns = columnsOf(indexes, [row('{"x/y":1,"title":"t"}'), row('{"z":2}')])
  t.deepEqual(names(columns).slice(0, 6), ['/slug', '/serves', '/title', '/a/b', '/x~1y', '/z'])
  t.deepEqual(columns[3]?.label, 'a.b')
  t.is(names(columns).at(-1), 'id')
})

test('data that is no object has one column', (t) => {
  t.deepEqual(names(columnsOf([], [row('5')]))[0], 'data')
  t.deepEqual(names(columnsOf([], [row('null')]))[0], 'tags')
})

test('six columns of data are shown before anybody chooses, and tags where an item has some', (t) => {
  const rows = [row('{"a":1,"b":1,"c":1,"d":1,"e":1,"f":1,"g":1}')]
  const shown = names(shownColumns(null, columnsOf([], rows), rows))
  t.deepEqual(shown, ['/a', '/b', '/c', '/d', '/e', '/f', 'identity', 'version', 'updatedAt'])
  t.true(names(shownColumns(null, columnsOf([], rows), [row('{}', ['x'])])).includes('tags'))
})

test('chosen columns stand in their order, also those that no item of the page has', (t) => {
  const shown = shownColumns(['size', '/never', '/a', 'nothing'], columnsOf([], [row('{"a":1}')]), [])
  t.deepEqual(names(shown), ['size', '/never', '/a'])
})

test('a title leads to the item, else the alias, else the first column of data, else the id', (t) => {
  const lead = (indexes: Index[], data: string) =>
    leadColumn(shownColumns(null, columnsOf(indexes, [row(data)]), []))?.name
  t.is(lead([index('/slug', { alias: true })], '{"a":1,"title":"x"}'), '/title')
  t.is(lead([index('/slug', { alias: true })], '{"a":1}'), '/slug')
  t.is(lead([], '{"a":1}'), '/a')
  t.is(lead([], 'null'), 'id')
})
