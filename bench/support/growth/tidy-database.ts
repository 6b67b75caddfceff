import { Client } from 'pg'
import { databaseSettings, testBackend } from '../../../test/support/databases/database.ts'

/**
 * Does now what Postgres does on its own within minutes of a load: otherwise it would do so during a measurement. The others
 * need nothing.
 */
export async function tidyDatabase(dataDir: string): Promise<void> {
  if (testBackend !== 'postgres') return
  const client = new Client({ connectionString: databaseSettings(dataDir).LISTD_DATABASE_URL })
  await client.connect()
  await client.query('vacuum analyze')
  await client.query('checkpoint')
  await client.end()
}
