import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Database } from '#shared/data/database.ts'
import { databaseSettings } from '../databases/database.ts'
import { tablesOf } from '../databases/schemas/tables.ts'
import type { Listd } from './listd.ts'

/** What a listd with its own nats-server must keep secret: its keys and passwords, and its callers' credentials. */
export async function secretsOf({ dataDir, credentials: { token, session } }: Listd): Promise<string[]> {
  const natsUrl = new URL((await readFile(join(dataDir, 'nats-url'), 'utf8')).trim())
  return [token, session, natsUrl.password, await masterKeyOf(dataDir), ...databasePassword(dataDir)]
}

/** As written in a URL: on test servers it may be an everyday word, or missing. */
function databasePassword(dataDir: string): string[] {
  const { LISTD_DATABASE_URL: url } = databaseSettings(dataDir)
  const password = url === undefined ? '' : new URL(url).password
  return password === '' ? [] : [`:${password}@`]
}

/** The key from the test, or the one that listd has created next to its SQLite database. */
async function masterKeyOf(dataDir: string): Promise<string> {
  const { LISTD_SECRETS_MASTER_KEY: given } = databaseSettings(dataDir)
  return given ?? (await readFile(join(dataDir, 'master-key'), 'utf8')).trim()
}

/** The texts that occur in a column of the database, each with its table: `items: <text>`. */
export async function foundInDatabase(db: Database, texts: readonly string[]): Promise<string[]> {
  const found: string[] = []
  for (const table of await tablesOf(db)) {
    const rows = await db.all<Record<string, unknown>>(`select * from ${table}`)
    const values = rows.flatMap((row) => Object.values(row).map(String))
    found.push(
      ...texts.filter((text) => values.some((value) => value.includes(text))).map((text) => `${table}: ${text}`),
    )
  }
  return found
}
