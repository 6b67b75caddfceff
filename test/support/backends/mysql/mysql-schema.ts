import type { Connection } from 'mysql2/promise'
import { assertNoSecrets } from '../../test-context/canaries.ts'
import { rowsOf } from './mysql-rows.ts'

type Pair = { template: string; name: string }

/** Everything that distinguishes two schemas, as comparable text: columns, indexes and foreign keys. */
export async function schemaOf(connection: Connection, database: string): Promise<string> {
  const parts: unknown[] = []
  for (const sql of descriptions) parts.push(await rowsOf(connection, sql, [database]))
  return JSON.stringify(parts)
}

const descriptions = [
  `select table_name, column_name, column_type, is_nullable, column_default, collation_name, extra
   from information_schema.columns where table_schema = ? order by table_name, ordinal_position`,
  `select table_name, index_name, seq_in_index, column_name, collation, sub_part, non_unique
   from information_schema.statistics where table_schema = ? order by table_name, index_name, seq_in_index`,
  `select table_name, constraint_name, delete_rule, referenced_table_name
   from information_schema.referential_constraints where constraint_schema = ? order by table_name, constraint_name`,
]

/** Creates the template's tables with their rows in an empty database. */
export async function copySchema(connection: Connection, { template, name }: Pair): Promise<void> {
  const tables = await tablesOf(connection, template)
  await connection.query(`use ${name}`)
  for (const table of tables) {
    const [[, statement]] = (await rowsOf(connection, `show create table ${template}.${table}`)) as [[string, string]]
    await connection.query(statement)
  }
  await copyRows(connection, { template, name })
}

/** @throws Error when a row has a secret in clear; only the first rows of a big table are checked */
export async function assertNoSecretInTables(connection: Connection, name: string): Promise<void> {
  for (const { table } of await filledTables(connection, name)) {
    const rows = await rowsOf(connection, `select * from ${name}.${table} limit ${manyRows}`)
    assertNoSecrets(`the table ${table}`, JSON.stringify(rows))
  }
}

/** Deletes all rows except for those of the template. */
export async function emptyTables(connection: Connection, { template, name }: Pair): Promise<void> {
  const counting = await countingTables(connection, name)
  for (const { table, rows } of await filledTables(connection, name)) {
    const statement = rows === manyRows || counting.includes(table) ? 'truncate table' : 'delete from'
    await connection.query(`${statement} ${name}.${table}`)
  }
  await copyRows(connection, { template, name })
}

async function copyRows(connection: Connection, { template, name }: Pair): Promise<void> {
  for (const { table } of await filledTables(connection, template)) {
    await connection.query(`insert into ${name}.${table} select * from ${template}.${table}`)
  }
}

/** From this number of rows on, deleting takes longer than recreating the table. */
const manyRows = 1_000

/** Tables with rows, of which at most `manyRows` are counted. */
async function filledTables(connection: Connection, database: string): Promise<{ table: string; rows: number }[]> {
  const counts = (await tablesOf(connection, database)).map(
    (table) => `(select '${table}', count(*) from (select 1 from ${database}.${table} limit ${manyRows}) as some)`,
  )
  const found = await rowsOf(connection, counts.join(' union all '))
  return found.map(([table, rows]) => ({ table: String(table), rows: Number(rows) })).filter(({ rows }) => rows > 0)
}

/** Tables that number their rows: only truncating restarts the numbers. */
async function countingTables(connection: Connection, database: string): Promise<string[]> {
  const sql = `select table_name from information_schema.columns where table_schema = ? and extra like '%auto_increment%'`
  return (await rowsOf(connection, sql, [database])).map(([table]) => String(table))
}

async function tablesOf(connection: Connection, database: string): Promise<string[]> {
  const sql = 'select table_name from information_schema.tables where table_schema = ? order by table_name'
  return (await rowsOf(connection, sql, [database])).map(([table]) => String(table))
}
