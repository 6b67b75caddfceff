import type { Client } from 'pg'
import { assertNoSecrets } from '../../test-context/canaries.ts'

/** Everything that distinguishes two schemas, and the rows of the tables, as comparable text. */
type Description = { schema: unknown; rows: Record<string, unknown[]> }

export async function describeSchema(client: Client): Promise<string> {
  const rows: Description['rows'] = {}
  for (const table of await writtenTables(client)) rows[table] = (await client.query(`select * from ${table}`)).rows
  return JSON.stringify({ schema: await schemaOf(client), rows })
}

/**
 * Deletes all rows except for those of the description, and restarts the numbers.
 * @returns whether the schema is that of the description; if not, nothing is changed
 */
export async function emptyTables(client: Client, description: string): Promise<boolean> {
  const { schema, rows }: Description = JSON.parse(description)
  if (JSON.stringify(await schemaOf(client)) !== JSON.stringify(schema)) return false
  const written = await writtenTables(client)
  if (written.length > 0) await client.query(`truncate ${written.join(', ')} restart identity cascade`)
  for (const [table, values] of Object.entries(rows)) {
    const fill = `insert into ${table} select * from json_populate_recordset(null::${table}, $1)`
    await client.query(fill, [JSON.stringify(values)])
  }
  return true
}

/** @throws Error when a row has a secret in clear; only the first rows of a big table are checked */
export async function assertNoSecretInTables(client: Client): Promise<void> {
  for (const table of await writtenTables(client)) {
    const { rows } = await client.query(`select * from ${table} limit ${mostSearched}`)
    assertNoSecrets(`the table ${table}`, JSON.stringify(rows))
  }
}

const mostSearched = 1_000

/** Tables that have, or had, a row. */
async function writtenTables(client: Client): Promise<string[]> {
  const { rows } = await client.query(`select relname from pg_class where relkind = 'r'
    and relnamespace = current_schema()::regnamespace and pg_relation_size(oid) > 0 order by relname`)
  return rows.map(({ relname }) => String(relname))
}

async function schemaOf(client: Client): Promise<unknown> {
  const parts: unknown[] = []
  for (const text of descriptions) parts.push((await client.query({ text, rowMode: 'array' })).rows)
  return parts
}

const descriptions = [
  `select relname, attname, format_type(atttypid, atttypmod), attnotnull, attcollation::regcollation::text,
   pg_get_expr(adbin, adrelid)
   from pg_class join pg_attribute on attrelid = pg_class.oid left join pg_attrdef on adrelid = attrelid and adnum = attnum
   where relkind = 'r' and relnamespace = current_schema()::regnamespace and attnum > 0 and not attisdropped
   order by relname, attnum`,
  'select indexdef from pg_indexes where schemaname = current_schema() order by indexdef',
  `select conrelid::regclass::text, conname, pg_get_constraintdef(oid) from pg_constraint
   where connamespace = current_schema()::regnamespace order by 1, 2`,
]
