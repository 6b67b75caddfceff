import test from 'ava'
import { sqliteDialect } from '#shared/data/sql/dialects/sqlite.ts'
import { joinSql, raw, sql } from '#shared/data/sql/sql.ts'

test('values become marks, in the order of the text', (t) => {
  const inner = sql`b = ${2} and c = ${'three'}`
  t.deepEqual(sql`select ${raw('a')} from t where a = ${1} and ${inner} limit ${null}`(sqliteDialect), {
    text: 'select a from t where a = ? and b = ? and c = ? limit ?',
    bindings: [1, 2, 'three', null],
  })
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
