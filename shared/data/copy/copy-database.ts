import { createHash, type Hash } from 'node:crypto'
import { toNumber } from '../columns.ts'
import type { Database, Queries, Row } from '../database.ts'
import { migrate, schemaStatus } from '../migrate.ts'
import { deleteSetting, findSetting, putIfAbsent, putSetting } from '../settings/settings.ts'
import { type Columns, insertRows, rowMapper } from '../sql/insert-rows.ts'
import { raw, sql } from '../sql/sql.ts'
import { batchesOf } from './batches.ts'
import { listTables, type TableShape } from './tables.ts'

/** The content of a table: the number of its rows, and a SHA-256 of their values in the order of the key. */
export type TableContent = { table: string; rows: number; checksum: string }

export type Progress = { table: string; rows: number; of: number }

export type CopyOptions = {
  source: Database
  target: Database
  /** First deletes the rows that an unfinished copy has left in the target. */
  restart: boolean
  onProgress(progress: Progress): void | Promise<void>
}

/** The settings that are copied with the rows: which keys sealed the secrets, and the id of the installation. */
const copiedSettings = ['secretsCheck', 'oldKeys', 'installationId'] as const

/**
 * Copies a snapshot of a database of this version's schema into an empty one of any kind, and compares both. Until the copy is complete, a
 * mark in the target prevents listd from starting on it.
 * @returns what was copied, by table
 * @throws Error with a message for the operator if the target is not empty, the schema differs, or a table differs afterwards
 */
export async function copyDatabase(options: CopyOptions): Promise<TableContent[]> {
  const { source, target } = options
  await assertSameVersion(source)
  const tables = await listTables()
  await prepare(options, tables)
  const copied = await source.withSnapshot(async (snapshot) => {
    for (const name of copiedSettings) {
      const value = await findSetting(snapshot, name)
      if (value !== null) await putSetting(target, name, value)
    }
    const contents: TableContent[] = []
    for (const table of tables) contents.push(await copyTable(snapshot, table, options))
    return contents
  })
  // After the snapshot has ended, because it keeps the source from cleaning up.
  for (const [position, table] of tables.entries()) await compare(target, table, copied[position])
  await deleteSetting(target, 'unfinishedCopy')
  return copied
}

async function assertSameVersion(source: Database): Promise<void> {
  const { version, codeVersion } = await schemaStatus(source)
  if (version === codeVersion) return
  throw new Error(
    `the schema of the database is at version ${version}, and this listd copies version ${codeVersion} only. ` +
      'Copy it with the listd that upgraded it.',
  )
}

/** Brings the schema of an empty target up to this version, and marks it. */
async function prepare({ target, restart }: CopyOptions, tables: readonly TableShape[]): Promise<void> {
  const isUnfinished =
    (await schemaStatus(target)).version > 0 && (await findSetting(target, 'unfinishedCopy')) !== null
  if (isUnfinished) {
    if (!restart) throw new Error('an earlier copy into this database was not finished. --restart starts over.')
    for (const { name } of tables) await target.run(sql`delete from ${raw(name)}`)
    for (const name of copiedSettings) await deleteSetting(target, name)
    await deleteSetting(target, 'unfinishedCopy')
  }
  await migrate(target)
  await assertEmpty(target, tables)
  const mark = String(await target.now())
  if ((await putIfAbsent(target, 'unfinishedCopy', mark)) !== mark) {
    throw new Error('another copy into this database has just begun.')
  }
}

async function assertEmpty(target: Database, tables: readonly TableShape[]): Promise<void> {
  const held: string[] = []
  for (const { name } of tables) if (await target.get(sql`select 1 from ${raw(name)} limit 1`)) held.push(name)
  if ((await findSetting(target, 'secretsCheck')) !== null) held.push('settings')
  if (held.length === 0) return
  throw new Error(`the database to copy to is not empty: it has rows in ${held.join(', ')}. Use an empty database.`)
}

async function copyTable(snapshot: Queries, table: TableShape, options: CopyOptions): Promise<TableContent> {
  const { target, onProgress } = options
  const of = toNumber((await snapshot.get(sql`select count(*) as n from ${raw(table.name)}`))?.n)
  const getters: Columns<Row> = Object.fromEntries(
    table.columns.map(({ name, read }) => [name, (row) => read(row[name])]),
  )
  const toRows = rowMapper(table.name, getters)
  const content = contentOf(table)
  for await (const batch of batchesOf(snapshot, table)) {
    await target.transaction((tx) => insertRows(tx, toRows(batch)))
    content.add(batch)
    await onProgress({ table: table.name, rows: content.rows(), of })
  }
  return content.end()
}

async function compare(target: Database, table: TableShape, copied: TableContent | undefined): Promise<void> {
  const content = contentOf(table)
  for await (const batch of batchesOf(target, table)) content.add(batch)
  const { rows, checksum } = content.end()
  if (rows === copied?.rows && checksum === copied.checksum) return
  throw new Error(
    `the copy of the table ${table.name} differs from the original: it has ${rows} of ${copied?.rows} rows, or other values.`,
  )
}

function contentOf({ name, columns }: TableShape) {
  const hash: Hash = createHash('sha256')
  let rows = 0
  return {
    add(batch: readonly Row[]): void {
      rows += batch.length
      for (const row of batch)
        hash.update(`${JSON.stringify(columns.map((column) => column.read(row[column.name])))}\n`)
    },
    rows: () => rows,
    end: (): TableContent => ({ table: name, rows, checksum: hash.digest('hex') }),
  }
}
