import { signal } from '@preact/signals'
import { ListdError } from '#client/src/error.ts'
import { RawJson } from '#client/src/json.ts'
import { route } from '#client/src/transport.ts'
import type { List } from '#client/src/types/resources.ts'
import { importIdOf } from '#shared/domain/item-transfer/batches.ts'
import {
  atBeginning,
  type ImportState,
  type ImportSteps,
  importRows,
} from '#shared/domain/item-transfer/import-rows.ts'
import { describeErrors, type RejectedRow } from '#shared/domain/item-transfer/rejection.ts'
import { createRejectsWriter, type RejectsWriter } from '#shared/domain/item-transfer/rejects.ts'
import type { Row } from '#shared/domain/item-transfer/rows.ts'
import { client } from '../../api/client.ts'
import { readerOfPage } from '../../api/session.ts'
import { openRows, type Reading, readHead } from './import-file.ts'
import { forgetImport, type ImportPlace, mostRejectedRows, type SavedImport, saveImport } from './saved-import.ts'

/** A rejected row as the page shows it. */
export type ShownRejection = { row: number; line: number; why: string }

export type ImportProgress = {
  phase: 'running' | 'stopped' | 'failed' | 'done'
  state: ImportState
  /** Of the file. */
  share: number
  /** Why the import is waiting; null: it is not. */
  waiting: string | null
  /** Why it has failed. */
  error: unknown
  rejections: readonly ShownRejection[]
  /** The number of rejected rows in the saved file. It lacks some that were rejected before the page was reloaded. */
  kept: number
}

/** Rows of a batch. */
const batchSize = 500
const mostShown = 100

type Source = { name: string; list: List; file: File; reading: Reading; saved: SavedImport | null }

/** An import of a file into a list. It runs until it ends or is stopped, and can then be continued. */
export class ImportRun {
  readonly source: Source
  readonly progress
  #rejected = new Blob()
  #writer: RejectsWriter | null = null
  readonly #importId: string
  readonly #place: ImportPlace
  #rejectedRows: number[]
  #mayHaveSent: boolean
  #ending = new AbortController()

  /** @param source.name the list, as named in requests */
  constructor(source: Source) {
    this.source = source
    const { list, file, saved } = source
    this.#place = { listId: list.id, userId: readerOfPage() }
    const identity = ['file', file.name, String(file.size), String(file.lastModified)]
    this.#importId = saved?.importId ?? importIdOf(list.id, identity)
    this.#rejectedRows = [...(source.saved?.refusedRows ?? [])]
    const state = saved?.state ?? atBeginning
    this.#mayHaveSent = state.sending !== null
    this.progress = signal<ImportProgress>({
      phase: 'stopped',
      state,
      share: 0,
      waiting: null,
      error: null,
      rejections: [],
      kept: 0,
    })
  }

  /** Continues from its state. It reads the earlier rows again to check that they are the same. */
  async run(): Promise<void> {
    const { file, reading, list } = this.source
    const { state } = this.progress.value
    const known = new Set(this.progress.value.rejections.length === 0 ? this.#rejectedRows : [])
    const onPassed = (row: Row) => {
      if (known.has(row.row))
        this.#keep([{ row, errors: [{ message: 'it was rejected before the page was reloaded' }] }])
    }
    this.#ending = new AbortController()
    this.#show({ phase: 'running', error: null })
    const rows = openRows(file, reading, (bytes) => this.#show({ share: bytes / Math.max(1, file.size) }))
    const { format, columns } = reading
    try {
      const head = format === 'csv' ? (await readHead(file)).head : null
      this.#writer ??= createRejectsWriter({ format, head, columns })
      await importRows(rows, { importId: this.#importId, most: batchSize, from: state, onPassed }, this.#steps())
      forgetImport(this.#place)
      this.#show({ phase: 'done', share: 1 })
    } catch (error) {
      if (this.progress.value.state.row === 0 && !this.#mayHaveSent) forgetImport(this.#place)
      const isStopped = this.#ending.signal.aborted
      this.#show(
        isStopped
          ? { phase: 'stopped', waiting: null }
          : { phase: 'failed', error: withListNamed(error, list), waiting: null },
      )
    }
  }

  /** A batch that is being sent may still succeed. It is sent again when the import continues. */
  stop(): void {
    this.#ending.abort()
  }

  /** The rejected rows with their errors. */
  refusedFile(): { content: Blob; name: string; type: string } {
    const { format } = this.source.reading
    const { head = '', end = '' } = this.#writer ?? {}
    const content = new Blob([head, this.#rejected, end])
    return { content, name: `${this.source.file.name}.rejected.${format}`, type: contentTypes[format] }
  }

  #steps(): ImportSteps {
    const { signal: ended } = this.#ending
    const send = createSender(this.source.list.id, ended)
    return {
      send,
      pause: (seconds, why) => this.#pause(seconds, why),
      reject: (rows) => {
        this.#rejectedRows.push(
          ...rows.map(({ row }) => row.row).slice(0, mostRejectedRows - this.#rejectedRows.length),
        )
        this.#keep(rows)
      },
      save: (state) => {
        this.#mayHaveSent = state.sending !== null
        this.#save(state)
        ended.throwIfAborted()
      },
      show: (state) => this.#show({ state, waiting: null }),
    }
  }

  #keep(rows: readonly RejectedRow[]): void {
    const { columns } = this.source.reading
    const { kept } = this.progress.value
    this.#rejected = new Blob([this.#rejected, this.#writer?.rows(rows, kept === 0) ?? ''])
    const shown = rows.map(({ row: { row, line }, errors }) => ({
      row,
      line,
      why: describeErrors(errors, columns).join('; '),
    }))
    const rejections = [...this.progress.value.rejections, ...shown].slice(0, mostShown)
    this.#show({ rejections, kept: kept + rows.length })
  }

  #save(state: ImportState): void {
    const { file, reading } = this.source
    const { format, empty, isGuarded, columns, arrays } = reading
    saveImport(this.#place, {
      version: 2,
      importId: this.#importId,
      file: { name: file.name, size: file.size },
      format,
      empty,
      isGuarded,
      columns: columns.map(({ name: _, ...column }) => column),
      arrays,
      state,
      refusedRows: this.#rejectedRows,
      savedAt: new Date().toISOString(),
    })
  }

  #pause(seconds: number, { message }: Error): Promise<void> {
    const { signal: ended } = this.#ending
    this.#show({ waiting: `${message} Trying again in ${seconds} s.` })
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

const contentTypes = { csv: 'text/csv', ndjson: 'application/x-ndjson', json: 'application/json' } as const

/** Names the deleted list in the error, because requests have only its id. */
function withListNamed(error: unknown, { name }: List): unknown {
  if (!(error instanceof ListdError) || error.name !== 'REQUESTED_ENTITY_NOT_FOUND') return error
  const { code, status, requestId } = error
  const message = `The list "${name}" was deleted. If a list has this name now, it is a different one.`
  return new ListdError({ name: error.name, message, code, status, requestId, cause: error })
}

/** Sends a batch of operations, or a dry run of it. @param list its id or name */
export function createSender(list: string, signal: AbortSignal): ImportSteps['send'] {
  return async (operations, once) => {
    const how = 'key' in once ? { idempotencyKey: once.key } : { dryRun: true }
    const { headers } = await client.send<Response>(route`POST /lists/${list}/items/batch`, {
      body: { operations: new RawJson(operations) },
      options: { ...how, includeData: false, signal },
      keyed: true,
      read: (_, response) => response,
    })
    return { isRepeated: headers.get('idempotency-replayed') === 'true' }
  }
}
