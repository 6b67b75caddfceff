import type { Connection } from 'mysql2/promise'

/** Rows as lists of values: products and versions write the names of columns differently. */
export async function rowsOf(connection: Connection, sql: string, values: unknown[] = []): Promise<unknown[][]> {
  const [rows] = await connection.query({ sql, values, rowsAsArray: true })
  return rows as unknown[][]
}
