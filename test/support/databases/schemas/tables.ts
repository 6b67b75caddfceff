import type { Database } from '#shared/data/database.ts'

/** The names of all tables of a database, in order. */
export async function tablesOf(db: Database): Promise<string[]> {
  return (await db.all<{ name: string }>(queries[db.dialect.name])).map(({ name }) => name)
}

const queries = {
  sqlite: "select name from sqlite_master where type = 'table' and name not like 'sqlite_%' order by 1",
  postgres: 'select table_name as name from information_schema.tables where table_schema = current_schema() order by 1',
  mysql: 'select table_name as name from information_schema.tables where table_schema = database() order by 1',
} as const

/** The names of the columns of a table that can be written, in the order of their names. */
export async function columnsOf(db: Database, table: string): Promise<string[]> {
  return (await db.all<{ name: string }>(columnQueries[db.dialect.name], [table])).map(({ name }) => name).sort()
}

const columnQueries = {
  sqlite: 'select name from pragma_table_info(?)', // leaves out computed columns
  postgres: `select column_name as name from information_schema.columns
    where table_schema = current_schema() and table_name = ? and is_generated = 'NEVER'`,
  mysql: `select column_name as name from information_schema.columns
    where table_schema = database() and table_name = ? and coalesce(generation_expression, '') = ''`,
} as const
