import { setTimeout as pause } from 'node:timers/promises'
import type { Client } from '#client/src/main.ts'
import { importIdOf } from '#shared/domain/item-transfer/batches.ts'
import {
  atBeginning,
  type ImportState,
  type ImportSteps,
  importRows,
} from '#shared/domain/item-transfer/import-rows.ts'
import { maxBatchOperations } from '#shared/domain/limits.ts'
import { printable } from '../../terminal/listing.ts'
import type { Terminal } from '../../terminal/terminal.ts'
import { withExplainedErrors } from '../answer-failure.ts'
import { connect } from '../connection.ts'
import { warnOfWebhooksBehind } from '../webhooks/behind.ts'
import { createImportDisplay } from './import-display.ts'
import { withStateOf } from './import-failure.ts'
import {
  assertFits,
  progressFileOf,
  readProgress,
  removeProgress,
  type SavedProgress,
  saveProgress,
} from './import-progress.ts'
import { reportImport } from './import-report.ts'
import {
  describeColumns,
  findFile,
  type ImportFile,
  type ImportSource,
  openSource,
  type ReadingOptions,
} from './import-source.ts'
import { createSender, findTarget, type ImportTarget } from './import-target.ts'
import { isSameFile, openRejectsFile, type RejectsFile } from './rejects-file.ts'

export type ImportItemsOptions = ReadingOptions & {
  list: string
  batch?: string
  rejects?: string
  source?: string
  dryRun?: true
  resume?: true
  json?: true
}

/**
 * `listd items import`: creates an item from each row of a file; writes rejected rows to a separate file, with the reasons.
 * An interrupted import continues with `--resume`.
 * @throws CommandFailed also when rows were rejected
 */
export async function importItemsCommand(terminal: Terminal, path: string, options: ImportItemsOptions): Promise<void> {
  const { dryRun = false, json = false } = options
  const client = connect(terminal)
  const unsent = { path, dryRun, isUncertain: false, canGoOn: false }
  const batch = options.batch === undefined ? undefined : readBatchSize(options.batch)
  const file = await findFile(path, options.source)
  const progress = file.size === null || dryRun ? null : progressFileOf(path, options.list)
  const saved = await progressToGoOnFrom(file, progress, options)
  await withExplainedErrors(async () => {
    const target = await targetOf(client, file, options).catch((error: unknown) => {
      const nameless = { name: options.list, id: null, list: null, token: null }
      throw withStateOf(error, { ...unsent, target: nameless, state: saved?.state ?? atBeginning })
    })
    const url = terminal.env.LISTD_URL ?? ''
    if (saved && progress !== null) assertFits(saved, progress, { url, batch, rejects: options.rejects, target })
    target.id ??= saved?.listId ?? null
    const opening = { file, target, options, saved: saved?.reading ?? null }
    const source = await openSource(terminal, client, opening).catch((error: unknown) => {
      throw withStateOf(error, { ...unsent, target, state: saved?.state ?? atBeginning, canGoOn: saved !== null })
    })
    if (source.columns.length > 0) terminal.stderr.write(`Columns: ${printable(describeColumns(source.columns))}.\n`)
    if (saved) terminal.stderr.write(`Continuing after row ${saved.state.row}.\n`)
    const rejects = await openRejects(file, options, { source, keep: saved?.rejectsBytes ?? 0 })
    const importId = saved?.importId ?? importIdOf(target.id ?? target.name, file.identity)
    const most = saved?.batch ?? batch ?? defaultBatch
    const run = { terminal, client, file, options, source, target, rejects, importId, most, progress, saved, url }
    const state = await runImport(run)
    if (!dryRun && state.created > 0) await warnOfWebhooksBehind(terminal)
    reportImport(terminal, state, { rejects: rejects?.path ?? null, dryRun, json })
  })
}

/** Rows of a batch. */
const defaultBatch = 500

function readBatchSize(text: string): number {
  const most = Number(text)
  if (Number.isInteger(most) && most >= 1 && most <= maxBatchOperations) return most
  throw new Error(`--batch must be a number from 1 to ${maxBatchOperations}.`)
}

/** @throws Error for saved progress without an option that says what to do with it, or for `--resume` without saved progress */
async function progressToGoOnFrom(
  { path, size }: ImportFile,
  progress: string | null,
  { list, resume, dryRun }: ImportItemsOptions,
): Promise<SavedProgress | null> {
  if (size === null && resume) throw new Error('--resume needs a file: standard input cannot be read again.')
  if (dryRun && resume)
    throw new Error('--resume continues an import, and --dry-run imports nothing: omit one of them.')
  const saved = progress === null ? null : await readProgress(progress)
  if (saved === null && resume) {
    throw new Error(
      `there is no interrupted import of ${path} into "${list}": ${progress} does not exist. Omit --resume to start one.`,
    )
  }
  if (saved === null || resume) return saved
  throw new Error(
    `an import of ${path} was interrupted after row ${saved.state.row}: add --resume to continue, or delete ${progress} to start over.`,
  )
}

/** A stream cannot be sent again, so nothing about it is saved. */
async function targetOf(client: Client, file: ImportFile, { list, source, format }: ImportItemsOptions) {
  const isKnownLater = file.size === null && source === undefined && format !== 'csv'
  const unknown: ImportTarget = { name: list, id: null, list: null, token: null }
  return isKnownLater ? unknown : await findTarget(client, list)
}

async function openRejects(
  { path, size }: ImportFile,
  { rejects, dryRun }: ImportItemsOptions,
  { source, keep }: { source: ImportSource; keep: number },
): Promise<RejectsFile | null> {
  if (rejects === undefined && (dryRun || size === null)) return null
  if (rejects !== undefined && (rejects === '-' || (await isSameFile(rejects, path)))) {
    throw new Error('--rejects must name a file other than the imported one, and not a stream.')
  }
  return openRejectsFile(rejects ?? `${path}.rejected.${source.format}`, source, { keep })
}

type Run = {
  terminal: Terminal
  client: Client
  file: ImportFile
  options: ImportItemsOptions
  source: ImportSource
  target: ImportTarget
  rejects: RejectsFile | null
  importId: string
  most: number
  progress: string | null
  saved: SavedProgress | null
  url: string
}

async function runImport(run: Run): Promise<ImportState> {
  const { terminal, file, options, source, target, rejects, importId, most, progress, saved } = run
  let state = saved?.state ?? atBeginning
  let kept = saved?.state ?? null
  const display = createImportDisplay(terminal, source, { showsAll: rejects === null, from: state.row })
  const steps: ImportSteps = {
    send: createSender(run.client, target),
    async pause(seconds, why) {
      display.wait(seconds, why)
      await pause(seconds * 1000)
    },
    async reject(rows) {
      display.reject(rows)
      await rejects?.add(rows)
    },
    async save(saving) {
      kept = saving
      await keep(run, saving)
    },
    show(reached) {
      state = reached
      display.show(state)
    },
  }
  try {
    await importRows(source.rows, { importId, most, dryRun: options.dryRun ?? false, from: state }, steps)
    await rejects?.end()
    if (progress !== null) await removeProgress(progress)
    return state
  } catch (error) {
    const isNothing = state.row === 0 && (kept?.sending ?? null) === null
    if (progress !== null && isNothing) await removeProgress(progress)
    throw withStateOf(error, {
      state,
      target,
      path: file.path,
      dryRun: options.dryRun ?? false,
      canGoOn: progress !== null && !isNothing,
      isUncertain: (kept?.sending ?? null) !== null,
    })
  } finally {
    display.end()
  }
}

async function keep({ progress, options, source, target, rejects, most, importId, url }: Run, state: ImportState) {
  if (progress === null) return
  const { format, columns, arrays = [], empty, isGuarded } = source
  await saveProgress(progress, {
    format: 2,
    importId,
    url,
    list: target.name,
    listId: target.id,
    token: target.token,
    reading: { format, columns, arrays, empty, isGuarded },
    batch: most,
    rejects: options.rejects ?? null,
    rejectsBytes: rejects?.bytes() ?? 0,
    state,
  })
}
