import test from 'ava'
import type { Dialect, Sql } from '#shared/data/dialect.ts'
import { mysqlDialect } from '#shared/data/sql/dialects/mysql.ts'
import { postgresDialect } from '#shared/data/sql/dialects/postgres.ts'
import { sqliteDialect } from '#shared/data/sql/dialects/sqlite.ts'
import { sql } from '#shared/data/sql/sql.ts'
import { excluded, inList, onConflict, updateFrom, valuesTable } from '#shared/data/sql/statements.ts'

const dialects: readonly Dialect[] = [sqliteDialect, postgresDialect, mysqlDialect('bytes')]

/** The text for each database, with runs of white space as one space. */
const texts = (part: Sql) => dialects.map((dialect) => part(dialect).text.replaceAll(/\s+/g, ' '))
const bindings = (part: Sql) => dialects.map((dialect) => part(dialect).bindings)

test('a text never contains a value, and has a placeholder for each binding', (t) => {
  const parts = [
    inList('id', ['a', 'b', 'c']),
    valuesTable({ id: 'text', n: 'int' }, [['a', 1]]),
    sql`select ${1} where x = ${'one'}`,
    updateFrom({
      table: 't',
      set: { a: sql`${1}` },
      from: valuesTable({ id: 'text' }, [['x']]),
      where: sql`t.id = input.id`,
    }),
  ]
  for (const part of parts) {
    for (const dialect of dialects) {
      const { text, bindings } = part(dialect)
      t.is(text.split('?').length - 1, bindings.length, text)
    }
  }
})

test('the text does not depend on the values, so that it stays prepared', (t) => {
  t.deepEqual(texts(valuesTable({ id: 'text' }, [['a']])), texts(valuesTable({ id: 'text' }, [['b'], ['c']])))
  t.deepEqual(texts(inList('id', ['a', 'b', 'c'])), texts(inList('id', ['d', 'e', 'f', 'g'])))
})

test('an empty list contains no value', (t) => {
  t.deepEqual(bindings(inList('id', [])), [['[]'], [[]], []])
  t.is(texts(inList('id', []))[2], '1 = 0')
})

test('rows are updated from a values table, which MySQL reads first', (t) => {
  const set = { a: sql`t.a + input.a` }
  const update = updateFrom({
    table: 't',
    set,
    from: valuesTable({ id: 'text', a: 'int' }, [['x', 1]]),
    where: sql`t.id = input.id`,
  })
  const [sqlite = '', postgres = '', mysql = ''] = texts(update)
  t.regex(sqlite, /^update t set a = t\.a \+ input\.a from \(.*\) as input where t\.id = input\.id$/)
  t.regex(postgres, /^update t set a = t\.a \+ input\.a from \(.*\) as input where t\.id = input\.id$/)
  t.regex(
    mysql,
    /^update json_table\(.*\) as input straight_join t force index \(primary\) on t\.id = input\.id set t\.a = t\.a \+ input\.a$/,
  )
})

test('a row with an existing key updates the existing row, or is left out', (t) => {
  t.deepEqual(texts(onConflict(['k'], { n: sql`t.n + ${excluded('n')}` })), [
    'on conflict (k) do update set n = t.n + excluded.n',
    'on conflict (k) do update set n = t.n + excluded.n',
    'on duplicate key update n = t.n + values(n)',
  ])
  t.deepEqual(texts(onConflict(['k'], {})), [
    'on conflict (k) do nothing',
    'on conflict (k) do nothing',
    'on duplicate key update k = k',
  ])
})

test('a number is cast on Postgres, where its context does not determine its type', (t) => {
  t.deepEqual(texts(sql`${1}, ${0.5}, ${'1'}`), ['?, ?, ?', '?::int8, ?::float8, ?', '?, ?, ?'])
})
