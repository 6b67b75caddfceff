import test from 'ava'
import { postgresDialect } from '#shared/data/sql/dialects/postgres.ts'
import { sqliteDialect } from '#shared/data/sql/dialects/sqlite.ts'
import { joinSql, raw, sql } from '#shared/data/sql/sql.ts'

test('values become placeholders, in the order of the text', (t) => {
  const inner = sql`b = ${2} and c = ${'three'}`
  t.deepEqual(sql`select ${raw('a')} from t where a = ${1} and ${inner} limit ${null}`(sqliteDialect), {
    text: 'select a from t where a = ? and b = ? and c = ? limit ?',
    bindings: [1, 2, 'three', null],
  })
})

test('a template has the text of its present parts and database, independent of earlier calls', (t) => {
  const counted = (table: string, limit: number) => sql`select count(*) from ${raw(table)} limit ${limit}`
  for (const table of ['items', 'items', 'lists', 'x'.repeat(20_000), 'items']) {
    t.deepEqual(counted(table, 1)(sqliteDialect), { text: `select count(*) from ${table} limit ?`, bindings: [1] })
  }
  t.is(counted('items', 1)(postgresDialect).text, 'select count(*) from items limit ?::int8')
  t.is(counted('items', 1.5)(postgresDialect).text, 'select count(*) from items limit ?::float8')
  t.is(counted('items', 1)(sqliteDialect).text, 'select count(*) from items limit ?')
})

test('text of a client never becomes part of a statement', (t) => {
  const text = "'; drop table items; --"
  t.deepEqual(sql`x = ${text}`(sqliteDialect), { text: 'x = ?', bindings: [text] })
})

test('parts are joined with a separator', (t) => {
  t.deepEqual(joinSql([sql`a = ${1}`, raw('b'), sql`c = ${3}`], ' and ')(sqliteDialect), {
    text: 'a = ? and b and c = ?',
    bindings: [1, 3],
  })
  t.deepEqual(joinSql([], ' and ')(sqliteDialect), { text: '', bindings: [] })
})
