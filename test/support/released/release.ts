import { readFileSync } from 'node:fs'
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { readTables, type TableShape } from '#shared/data/copy/tables.ts'
import type { Database, Row } from '#shared/data/database.ts'
import type { ColumnTypes } from '#shared/data/dialect.ts'
import { migrations } from '#shared/data/migrations/migrations.ts'
import { openDatabase } from '#shared/data/open-database.ts'
import { createSettings, putSetting, type SettingKey } from '#shared/data/settings/settings.ts'

/** The folder that has a sub-folder for each release: see `releaseFiles`. */
export const releasesFolder = join(import.meta.dirname, '../../fixtures/released')

/** The release that this tree is, or will be, by its version: `1.2` of 1.2.3. */
export const thisRelease = String(
  JSON.parse(readFileSync(join(import.meta.dirname, '../../../package.json'), 'utf8')).version,
)
  .split('.')
  .slice(0, 2)
  .join('.')

/** The data that a release left in its database, the same for each kind of database: all rows of its tables, and its settings. */
export type ReleasedRows = { settings: Record<string, string>; tables: Record<string, Row[]> }

/** What the users of the release know: its operator, a user, the owner of a token, an identity. All of it was invented for tests. */
export type ReleasedKnowledge = {
  masterKey: string
  token: string
  session: string
  user: { email: string; password: string }
  identity: { name: string; password: string; token: string }
  /** The signing secrets of webhooks, by id. */
  secrets: Record<string, string>
  /** A request that was sent with this key, and the id of the item it created. */
  replay: { key: string; body: string; itemId: string }
}

/** The answers of the release to its user, by path. */
export type ReleasedAnswers = Record<string, unknown>

/** The existing releases, the oldest first. */
export async function releases(): Promise<string[]> {
  const names = await readdir(releasesFolder).catch(() => [])
  return names.sort(byVersion)
}

/** Compares numbers within texts as numbers. */
export const byVersion = new Intl.Collator('en', { numeric: true }).compare

export const rowsOf = (release: string) => readJson<ReleasedRows>(release, 'rows.json')
export const knowledgeOf = (release: string) => readJson<ReleasedKnowledge>(release, 'known.json')
export const answersOf = (release: string) => readJson<ReleasedAnswers>(release, 'answers.json')

async function readJson<T>(release: string, file: string): Promise<T> {
  return JSON.parse(await readFile(join(releasesFolder, release, file), 'utf8'))
}

/** The statements of all steps up to a version, one per line; servers name the collation of bytes differently. */
export function statementsOf(db: Database, version: number): string {
  const { types } = db.dialect
  const steps = migrations.filter((step) => step.version <= version)
  return steps
    .flatMap((step) => [
      `-- step ${step.version}, compatible from ${step.compatibleFrom}`,
      ...step.up(db.build, types).map(({ sql }) => byBytes(sql, types).replace(/\s+/g, ' ')),
    ])
    .join('\n')
    .concat('\n')
}

const byBytes = (text: string, { collation }: ColumnTypes) =>
  collation === null ? text : text.replaceAll(collation, 'utf8mb4_by_bytes')

/** Creates the tables of a release in an empty database. */
export async function makeReleasedSchema(db: Database, release: string): Promise<void> {
  const { collation } = db.dialect.types
  await createSettings(db)
  const text = await readFile(join(releasesFolder, release, `schema.${db.dialect.name}.sql`), 'utf8')
  for (const line of text.trimEnd().split('\n')) {
    if (!line.startsWith('-- ')) await db.run(line.replaceAll('utf8mb4_by_bytes', collation ?? ''))
  }
  const { settings } = await rowsOf(release)
  for (const [name, value] of Object.entries(settings)) await putSetting(db, name as SettingKey, value)
}

/** The tables of a release. */
export async function tablesOf(release: string): Promise<TableShape[]> {
  const db = await openDatabase({ url: 'sqlite::memory:', dataDir: '', readers: 0 })
  try {
    await makeReleasedSchema(db, release)
    return await readTables(db)
  } finally {
    await db.close()
  }
}

/** Inserts rows unchanged, each with the names of its columns. */
export async function insertReleased(db: Database, tables: Record<string, readonly Row[]>): Promise<void> {
  await db.transaction(async (tx) => {
    for (const [table, rows] of Object.entries(tables)) {
      for (const row of rows) await tx.run(db.build(table).insert(row))
    }
  })
}

/** The rows of these tables and columns in a database, in the order of the rows. */
export async function readReleased(
  db: Database,
  tables: Record<string, readonly Row[]>,
): Promise<ReleasedRows['tables']> {
  const read = async (table: string, [first = {}]: readonly Row[]) => {
    const columns = Object.keys(first)
    const rows = await db.all(db.build(table).select(columns))
    return rows.map((row) => Object.fromEntries(columns.map((name) => [name, row[name]]))).sort(byText)
  }
  const found: ReleasedRows['tables'] = {}
  for (const [table, rows] of Object.entries(tables)) found[table] = await read(table, rows)
  return found
}

/** Every database has its own order. */
export const byText = (a: Row, b: Row) => (JSON.stringify(a) < JSON.stringify(b) ? -1 : 1)
