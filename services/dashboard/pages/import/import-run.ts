import { signal } from '@preact/signals'
import { RawJson } from '#client/src/json.ts'
import type { List } from '#client/src/resources.ts'
import { route } from '#client/src/transport.ts'
import {
  atBeginning,
  type ImportState,
  type ImportSteps,
  importRows,
} from '#shared/domain/item-transfer/import-rows.ts'
import { describeErrors, type RefusedRow } from '#shared/domain/item-transfer/refusal.ts'
import { rejectsText } from '#shared/domain/item-transfer/rejects.ts'
import type { Row } from '#shared/domain/item-transfer/rows.ts'
import { client } from '../../api/client.ts'
import { openRows, type Reading } from './import-file.ts'
import { forgetImport, mostRefusedRows, type SavedImport, saveImport } from './saved-import.ts'

/** A refused row as the page shows it. */
export type ShownRefusal = { row: number; line: number; why: string }

export type ImportProgress = {
  phase: 'running' | 'stopped' | 'failed' | 'done'
  state: ImportState
  /** Of the file. */
  share: number
  /** Why nothing happens now; null: something does. */
  waiting: string | null
  /** Why it has failed. */
  error: unknown
  refusals: readonly ShownRefusal[]
}

/** Rows of a batch. */
const batchSize = 500
const mostShown = 100

type Source = { name: string; list: List; file: File; reading: Reading; saved: SavedImport | null }

/** An import of a file into a list, that runs until it ends or is stopped, and can go on then. */
export class ImportRun {
  readonly source: Source
  readonly progress
  #refused: Blob
  #refusedRows: number[]
  #ending = new AbortController()

  /** @param source.name of the list, as requests name it */
  constructor(source: Source) {
    this.source = source
    this.#refused = new Blob([rejectsText([], this.#rejects, true)])
    this.#refusedRows = [...(source.saved?.refusedRows ?? [])]
    const state = source.saved?.state ?? atBeginning
    this.progress = signal<ImportProgress>({
      phase: 'stopped',
      state,
      share: 0,
      waiting: null,
      error: null,
      refusals: [],
    })
  }

  get #rejects() {
    const { format, columns } = this.source.reading
    return { format, columns, header: columns.map(({ name }) => name) }
  }

  /** Goes on from where it is; what has been read before is read again, to see that it is the same. */
  async run(): Promise<void> {
    const { file, reading, list } = this.source
    const { state } = this.progress.value
    const known = new Set(this.progress.value.refusals.length === 0 ? this.#refusedRows : [])
    const onPassed = (row: Row) => {
      if (known.has(row.row))
        this.#keep([{ row, errors: [{ message: 'it was refused before the page was loaded again' }] }])
    }
    this.#ending = new AbortController()
    this.#show({ phase: 'running', error: null })
    const rows = openRows(file, reading, (bytes) => this.#show({ share: bytes / Math.max(1, file.size) }))
    try {
      await importRows(rows, { list: list.id, most: batchSize, from: state, onPassed }, this.#steps())
      forgetImport(list.id)
      this.#show({ phase: 'done', share: 1 })
    } catch (error) {
      const isStopped = this.#ending.signal.aborted
      this.#show(isStopped ? { phase: 'stopped', waiting: null } : { phase: 'failed', error, waiting: null })
    }
  }

  /** What is on its way may still be done; it is asked for again when the import goes on. */
  stop(): void {
    this.#ending.abort()
  }

  /** The refused rows with their errors. */
  refusedFile(): { content: Blob; name: string; type: string } {
    const [ending, type] =
      this.source.reading.format === 'csv'
        ? (['csv', 'text/csv'] as const)
        : (['ndjson', 'application/x-ndjson'] as const)
    return { content: this.#refused, name: `${this.source.file.name}.rejected.${ending}`, type }
  }

  #steps(): ImportSteps {
    const { signal: ended } = this.#ending
    const send = createSender(this.source.name, ended)
    return {
      send,
      pause: (seconds, why) => this.#pause(seconds, why),
      refuse: (rows) => {
        this.#refusedRows.push(...rows.map(({ row }) => row.row).slice(0, mostRefusedRows - this.#refusedRows.length))
        this.#keep(rows)
      },
      save: (state) => {
        this.#show({ state, waiting: null })
        this.#save(state)
        ended.throwIfAborted()
      },
    }
  }

  #keep(rows: readonly RefusedRow[]): void {
    const { columns } = this.source.reading
    this.#refused = new Blob([this.#refused, rejectsText(rows, this.#rejects, false)])
    const shown = rows.map(({ row: { row, line }, errors }) => ({
      row,
      line,
      why: describeErrors(errors, columns).join('; '),
    }))
    this.#show({ refusals: [...this.progress.value.refusals, ...shown].slice(0, mostShown) })
  }

  #save(state: ImportState): void {
    const { list, file, reading } = this.source
    const { format, empty, columns } = reading
    saveImport(list.id, {
      version: 1,
      file: { name: file.name, size: file.size },
      format,
      empty,
      columns: columns.map(({ pointer, type }) => ({ pointer, type })),
      state,
      refusedRows: this.#refusedRows,
      savedAt: new Date().toISOString(),
    })
  }

  #pause(seconds: number, { message }: Error): Promise<void> {
    const { signal: ended } = this.#ending
    this.#show({ waiting: `${message} Another try in ${seconds} s.` })
    return new Promise((resolve, reject) => {
      const timer = setTimeout(resolve, seconds * 1000)
      ended.addEventListener('abort', () => {
        clearTimeout(timer)
        reject(ended.reason)
      })
    })
  }

  #show(changes: Partial<ImportProgress>): void {
    this.progress.value = { ...this.progress.value, ...changes }
  }
}

/** Sends a batch of operations, or a dry run of it. @param list as requests name it */
export function createSender(list: string, signal: AbortSignal): ImportSteps['send'] {
  return async (operations, once) => {
    const how = 'key' in once ? { idempotencyKey: once.key } : { dryRun: true }
    const answer = client.send(route`POST /lists/${list}/items/batch`, {
      body: { operations: new RawJson(operations) },
      options: { ...how, includeData: false, signal },
      keyed: true,
    })
    await answer.text()
  }
}
