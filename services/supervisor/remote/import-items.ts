import { resolve } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { type Client, RawJson, route } from '#client/src/main.ts'
import { AnotherFile } from '#shared/domain/item-transfer/batches.ts'
import {
  atBeginning,
  type ImportState,
  type ImportSteps,
  importRows,
} from '#shared/domain/item-transfer/import-rows.ts'
import { UnreadableFile } from '#shared/domain/item-transfer/record.ts'
import { maxBatchOperations } from '#shared/domain/limits.ts'
import { counted } from '#shared/domain/text/counted.ts'
import { CommandFailed, exitCodes } from '../command-failed.ts'
import { formatJson, printable } from '../listing.ts'
import type { Terminal } from '../terminal.ts'
import { withExplainedErrors } from './answer-failure.ts'
import { connect } from './connection.ts'
import { createImportDisplay } from './import-display.ts'
import { progressFileOf, readProgress, removeProgress, type SavedProgress, saveProgress } from './import-progress.ts'
import { describeColumns, type ImportSource, openSource, type SourceOptions } from './import-source.ts'
import { openRejectsFile, type RejectsFile } from './rejects-file.ts'
import { warnOfWebhooksBehind } from './webhooks/behind.ts'

export type ImportItemsOptions = SourceOptions & {
  batch: string
  rejects?: string
  dryRun?: true
  resume?: true
  json?: true
}

/**
 * `listd items import`: makes an item of each row of a file; rows that are refused go to a file of their own, with the reasons.
 * An import that was cut off goes on with `--resume`.
 * @throws CommandFailed when rows were refused, too
 */
export async function importItemsCommand(terminal: Terminal, file: string, options: ImportItemsOptions): Promise<void> {
  const client = connect(terminal)
  const saved = await progressToGoOnFrom(terminal, file, options)
  const most = saved?.batch ?? readBatchSize(options.batch)
  await withExplainedErrors(async () => {
    const source = await openSource(terminal, client, { file, ...options })
    if (source.columns.length > 0) terminal.stderr.write(`Columns: ${printable(describeColumns(source.columns))}.\n`)
    if (saved) terminal.stderr.write(`Going on behind row ${saved.row}.\n`)
    const rejects = await openRejects(file, options, source, saved?.rejectsBytes ?? 0)
    const run = { terminal, client, file, options, source, rejects, most, saved }
    const state = await runImport(run).catch(explain(file))
    if (!options.dryRun && state.created > 0) await warnOfWebhooksBehind(terminal)
    report(terminal, state, { rejects, options })
  })
}

/** @throws Error for progress that nobody has said what to do with, or of another listd */
async function progressToGoOnFrom(
  { env }: Terminal,
  file: string,
  { list, resume, dryRun }: ImportItemsOptions,
): Promise<SavedProgress | null> {
  const path = progressFileOf(file, list)
  if (path === null && resume) throw new Error('--resume needs a file: standard input cannot be read again.')
  const saved = path === null || dryRun ? null : await readProgress(path)
  if (saved === null) return null
  if (!resume) {
    throw new Error(
      `an import of ${file} was cut off behind row ${saved.row}: add --resume to go on, or delete ${path} to begin anew.`,
    )
  }
  if (saved.url === env.LISTD_URL) return saved
  throw new Error(
    `the import of ${file} that was cut off was into ${saved.url}: set LISTD_URL to it, or delete ${path}.`,
  )
}

function readBatchSize(text: string): number {
  const most = Number(text)
  if (Number.isInteger(most) && most >= 1 && most <= maxBatchOperations) return most
  throw new Error(`--batch must be a number from 1 to ${maxBatchOperations}.`)
}

function openRejects(
  file: string,
  { rejects, dryRun }: ImportItemsOptions,
  source: ImportSource,
  keep: number,
): Promise<RejectsFile> | null {
  if (rejects === undefined && (dryRun || file === '-')) return null
  if (rejects !== undefined && resolve(rejects) === resolve(file)) throw new Error('--rejects must be another file.')
  return openRejectsFile(rejects ?? `${file}.rejected.${source.format === 'csv' ? 'csv' : 'ndjson'}`, source, keep)
}

type Run = {
  terminal: Terminal
  client: Client
  file: string
  options: ImportItemsOptions
  source: ImportSource
  rejects: RejectsFile | null
  most: number
  saved: SavedProgress | null
}

async function runImport(run: Run): Promise<ImportState> {
  const { terminal, client, file, options, source, rejects, most, saved } = run
  const { list, dryRun = false } = options
  const url = terminal.env.LISTD_URL ?? ''
  const path = dryRun ? null : progressFileOf(file, list)
  const display = createImportDisplay(terminal, source, { showsAll: rejects === null, from: saved?.row ?? 0 })
  const keep = async (state: ImportState) => {
    if (path === null) return
    await saveProgress(path, { format: 1, url, list, batch: most, rejectsBytes: rejects?.bytes() ?? 0, ...state })
  }
  const steps: ImportSteps = {
    send: createSender(client, list),
    async pause(seconds, why) {
      display.wait(seconds, why)
      await pause(seconds * 1000)
    },
    async refuse(rows) {
      display.refuse(rows)
      await rejects?.add(rows)
    },
    async save(state) {
      await keep(state)
      display.show(state)
    },
  }
  try {
    const state = await importRows(source.rows, { list, most, dryRun, from: saved ?? atBeginning }, steps)
    if (path !== null) await removeProgress(path)
    return state
  } finally {
    display.end()
  }
}

/** A request may take long on a busy server; what can be sent again is sent again by the import itself. */
function createSender(client: Client, list: string): ImportSteps['send'] {
  const { send } = client.with({ retries: 0, timeoutMs: 5 * 60_000 })
  return async (operations, once) => {
    await send(route`POST /lists/${list}/items/batch`, {
      body: { operations: new RawJson(operations) },
      options: 'key' in once ? { includeData: false, idempotencyKey: once.key } : { includeData: false, dryRun: true },
      keyed: true,
    }).text()
  }
}

/** What is wrong with a file, with its name. */
function explain(file: string): (error: unknown) => never {
  return (error) => {
    const isOfFile = error instanceof UnreadableFile || error instanceof AnotherFile
    throw isOfFile ? new Error(`${file}: ${error.message}.`) : error
  }
}

/** @throws CommandFailed when rows were refused */
function report(
  { stdout }: Terminal,
  { row: rows, created, refused }: ImportState,
  { rejects, options: { dryRun, json } }: { rejects: RejectsFile | null; options: ImportItemsOptions },
): void {
  const items = counted(created, 'item')
  const made = dryRun ? `${items} would be imported` : `Imported ${items}`
  if (refused > 0) {
    const where = rejects === null ? '' : `: see ${rejects.path}`
    const facts = { name: 'ROWS_REFUSED', rows, created, refused, ...(rejects && { rejects: rejects.path }) }
    const message = `${made}; ${counted(refused, 'row was', 'rows were')} refused${where}.`
    throw new CommandFailed(message, exitCodes.rowsRefused, { facts })
  }
  stdout.write(json ? formatJson({ rows, created, refused }) : `${made}.\n`)
}
