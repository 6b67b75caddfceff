import test from 'ava'
import { mysqlDialect } from '#shared/data/sql/dialects/mysql.ts'
import { postgresDialect } from '#shared/data/sql/dialects/postgres.ts'
import { sqliteDialect } from '#shared/data/sql/dialects/sqlite.ts'
import { tableOf } from '#shared/data/sql/table.ts'
import type { Fields } from '#shared/domain/fields/field.ts'

const petFields = {
  id: { kind: 'text', max: 36, about: 'Its id.' },
  bornAt: { kind: 'time', nullable: true, about: 'When it was born.' },
  name: { kind: 'text', max: 20, about: 'Its name.' },
  toys: { kind: 'list', of: 'tag', max: 3, nullable: true, about: 'What it plays with; null: nothing.' },
  isTame: { kind: 'flag', about: 'Whether it may be stroked.' },
  weight: { kind: 'integer', about: 'Its weight, in grams.' },
  story: { kind: 'json', about: 'What happens in it.' },
  size: { kind: 'choice', of: ['small', 'big'], about: 'Its size.' },
} as const satisfies Fields

const petTable = tableOf('pets', petFields, {
  columns: {
    id: 'id',
    bornAt: 'born_at',
    name: 'name',
    toys: 'toys',
    isTame: 'is_tame',
    weight: 'weight',
    story: 'story',
    size: 'size',
  },
  derived: { name_key: ['name', (name) => name.toLowerCase()] },
})

const story = '{"born":"at sea"}'
const own = { id: '1', bornAt: null, name: 'Rex', toys: ['ball'], isTame: true, weight: 7 }
const rex = { ...own, story, size: 'big' as const }

test('rows have the columns of all fields and the keys derived from them', (t) => {
  const { columns, values } = petTable.rows([rex, { ...rex, toys: null }])
  t.deepEqual(columns, ['id', 'born_at', 'name', 'toys', 'is_tame', 'weight', 'story', 'size', 'name_key'])
  t.deepEqual(values.slice(0, 9), ['1', null, 'Rex', '["ball"]', true, 7, story, 'big', 'rex'])
  t.is(values[12], null, 'a list that is null is null in its column, not the text of null')
})

test('a key is written only together with the field that it is derived from', (t) => {
  t.deepEqual(Object.keys(petTable.columnsOf(['weight', 'name'])), ['weight', 'name', 'name_key'])
  t.deepEqual(Object.keys(petTable.columnsOf(['weight'])), ['weight'])
})

test('a row is read as every database returns it: numbers and flags as texts too', (t) => {
  const row = {
    id: '1',
    born_at: null,
    name: 'Rex',
    toys: '["ball"]',
    is_tame: 1,
    weight: '7',
    story,
    size: 'big',
    name_key: 'rex',
  }
  t.deepEqual(petTable.fromRow(row), rex)
  t.deepEqual(petTable.fromRow({ ...row, is_tame: false, toys: null, born_at: '5' }), {
    ...rex,
    isTame: false,
    toys: null,
    bornAt: 5,
  })
})

test('a packed row is read from its array, which some drivers return as text, and from the columns of long texts', (t) => {
  const packed = ['1', null, 'Rex', '["ball"]', 1, 7, 'big']
  t.deepEqual(petTable.fromPacked({ packed, story }), rex)
  t.deepEqual(petTable.fromPacked({ packed: JSON.stringify(packed), story }), rex)
  const { text } = petTable.packed(sqliteDialect)
  t.regex(text, /^json_array\(pets\."id", pets\."born_at", .*pets\."size"\) as packed, pets\."story"$/)
})

test('the rows that belong to another row are read from one array, or from one for each of them', (t) => {
  const { nested, join } = petTable.nested('owner_id', 'owners.id')
  const parts = [sqliteDialect, postgresDialect, mysqlDialect('bytes')].map((dialect) =>
    [nested, join].map((part) => part(dialect).text),
  )
  const packed = ['1', null, 'Rex', '["ball"]', 1, 7, 'big', story]
  t.deepEqual(petTable.fromNested([packed, packed]), [rex, rex])
  t.deepEqual(petTable.fromNested(JSON.stringify([packed])), [rex])
  t.deepEqual(petTable.fromNested(null), [])
  t.regex(
    String(parts[0]),
    /^\(select json_group_array\(json_array\(.*\)\) from pets where pets.owner_id = owners.id\) as nested,$/,
  )
  t.regex(
    String(parts[1]),
    /^\(select json_agg\(json_build_array\(.*\)\) from pets where pets.owner_id = owners.id\) as nested,$/,
  )
  t.regex(String(parts[2]), /^case .* end as nested,left join pets on pets.owner_id = owners.id$/)
})

test('a reader reads only the fields that it names, and needs no other columns', (t) => {
  t.deepEqual(petTable.reader(['weight', 'name'])({ name: 'Rex', weight: 7 }), { weight: 7, name: 'Rex' })
})

test('a row without a column that is read is an error, not an empty text or a 0', (t) => {
  t.throws(() => petTable.reader(['weight', 'name'])({ name: 'Rex' }), { message: 'The row has no column weight.' })
})

test('a table names a column for every field, and derives keys only from texts', (t) => {
  const fields = { id: petFields.id, weight: petFields.weight }
  // @ts-expect-error: weight has no column
  const withoutColumn = tableOf('pets', fields, { columns: { id: 'id' } })
  const columns = { id: 'id', weight: 'weight' }
  // @ts-expect-error: weight is not a text
  const ofNumber = tableOf('pets', fields, { columns, derived: { key: ['weight', (text) => text] } })
  t.deepEqual(
    [withoutColumn, ofNumber].map(({ allColumns }) => Object.keys(allColumns).length),
    [2, 3],
  )
})
