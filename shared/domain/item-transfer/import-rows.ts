import { type Batch, batchKey, createBatches, operationsText, type Position } from './batches.ts'
import { isAnsweredError, isTransient, type RejectedRow, rejectedRows } from './rejection.ts'
import type { Row } from './rows.ts'

/**
 * The progress of an import. `created`: items that it created; `existing`: items that already existed, because the same rows were sent
 * before; `refused`: rows without an item. `leftOut`: rejected rows after `row`, which are not sent again. `sending`: the end of the batch
 * after `row`, if it may have been sent.
 */
export type ImportState = Position & {
  created: number
  existing: number
  refused: number
  leftOut: readonly number[]
  sending: Position | null
}

/** The answer of the server. `isRepeated`: the same request was sent before, and nothing was created now. */
export type Sent = { isRepeated: boolean }

/** The side effects of an import, provided by the caller. */
export type ImportSteps = {
  /**
   * Sends the JSON text of a batch's operations.
   * @throws AnsweredError
   */
  send(operations: string, options: { key: string } | { dryRun: true }): Promise<Sent>
  /** Waits before a retry. */
  pause(seconds: number, why: Error): Promise<void>
  /** Receives rejected rows, in the order of the file. */
  reject(rows: readonly RejectedRow[]): void | Promise<void>
  /** Saves the state, before a request and after a batch, so that an interrupted import can continue. */
  save(state: ImportState): void | Promise<void>
  /** Reports the state after a batch. */
  show(state: ImportState): void
}

export type ImportOptions = {
  /** From `importIdOf`. */
  importId: string
  /** Maximum rows of a batch. A continued import must use the same number. */
  most: number
  from?: ImportState | null
  onPassed?: (row: Row) => void
  /** Only finds the rows that would be rejected. Does not find rows of different batches with the same alias. */
  dryRun?: boolean
}

export const atBeginning: ImportState = {
  row: 0,
  digest: '',
  created: 0,
  existing: 0,
  refused: 0,
  leftOut: [],
  sending: null,
}

/**
 * Creates an item from each row, batch by batch. A batch with rejected rows is sent again without them. The idempotency key of a request
 * depends on the import, the rows and their position: within a day the same rows of one import are created once, however often they are
 * sent.
 * @throws AnsweredError for errors that affect all rows; UnreadableFile, AnotherFile; errors of the steps
 */
export async function importRows(
  rows: AsyncIterable<Row>,
  options: ImportOptions,
  steps: ImportSteps,
): Promise<ImportState> {
  let state = options.from ?? atBeginning
  const from = state.row > 0 ? state : null
  for await (const batch of createBatches(rows, { ...options, from, sending: state.sending })) {
    const done = await (options.dryRun ? examineBatch(batch, steps) : importBatch(batch, state, { options, steps }))
    const { rejected, existing } = done
    if (rejected.length > 0) await steps.reject(rejected)
    state = {
      row: batch.row,
      digest: batch.digest,
      created: state.created + batch.rows.length - rejected.length - existing,
      existing: state.existing + existing,
      refused: state.refused + rejected.length,
      leftOut: [],
      sending: null,
    }
    if (!options.dryRun) await steps.save(state)
    steps.show(state)
  }
  return state
}

/** The result of a batch: the rejected rows, in the order of the file, and the number of items that already existed. */
type Done = { rejected: RejectedRow[]; existing: number }

async function examineBatch({ rows }: Batch, steps: ImportSteps): Promise<Done> {
  return { rejected: await examine(rows, steps), existing: 0 }
}

/** The rows that would be rejected, in the order of the file: unreadable rows, and rows that a dry run rejects. */
export async function examine(
  rows: readonly Row[],
  steps: Pick<ImportSteps, 'send' | 'pause'>,
): Promise<RejectedRow[]> {
  const rejected = unreadable(rows)
  for (let left = sendable(rows, rejected); left.length > 0; left = sendable(rows, rejected)) {
    const found = await dryRun(left, steps)
    if (found.length === 0) break
    rejected.push(...found)
  }
  return rejected.sort(byRow)
}

type Import = { options: ImportOptions; steps: ImportSteps }

async function importBatch(batch: Batch, before: ImportState, { options, steps }: Import): Promise<Done> {
  const leftOut = batch.rows.filter(({ row }) => before.leftOut.includes(row))
  const known = await dryRunOnce(leftOut, steps)
  const rejected = [
    ...unreadable(batch.rows),
    ...leftOut.map((row) => known.find((one) => one.row === row) ?? { row, errors: [{ message: rejectedBefore }] }),
  ]
  let existing = 0
  /** Whether items may have been created without an answer. */
  let isUncertain = false
  await create(batch.rows).catch(async (error: unknown) => {
    // Idempotency keys belong to their sender, so the pending batch is cleared for another caller to continue.
    if (!isUncertain && isRejection(error)) await save(null)
    throw error
  })
  return { rejected: rejected.sort(byRow), existing }

  function save(sending: Position | null) {
    const left = rejected.filter(({ row }) => row.data !== null).map(({ row }) => row.row)
    return steps.save({ ...before, leftOut: left, sending })
  }

  async function create(rows: readonly Row[]): Promise<void> {
    for (let left = sendable(rows, rejected); left.length > 0; left = sendable(rows, rejected)) {
      await save({ row: batch.row, digest: batch.digest })
      const answer = await tryToCreate(left)
      if (!(answer instanceof Error)) {
        isUncertain = true
        if (answer.isRepeated) existing += left.length
        return
      }
      if (isTooLong(answer) && left.length > 1) {
        const half = Math.ceil(left.length / 2)
        await create(left.slice(0, half))
        return create(left.slice(half))
      }
      const named = rejectedRows(answer, left)
      if (named.length === 0) throw answer
      // A dry run names all rejected rows. It may find none if the cause has disappeared.
      const all = await dryRunOnce(left, steps)
      const found = all.length > 0 ? all : named
      // If the batch was created before, all its aliases are in use by its own items. Without the other rejected rows, the request equals
      // the earlier one and gets the same answer.
      const wrong = found.filter(({ isTaken }) => !isTaken)
      rejected.push(...(wrong.length > 0 ? wrong : found))
    }
  }

  async function tryToCreate(rows: readonly Row[]): Promise<Sent | Error> {
    const operations = operationsText(rows)
    const key = batchKey(options.importId, batch, operations)
    const send = () =>
      steps.send(operations, { key }).catch((error: unknown) => {
        isUncertain ||= !isRejection(error)
        throw error
      })
    return patiently(send, steps).catch((error: unknown) => (error instanceof Error ? error : new Error(String(error))))
  }
}

/** Whether the answer means that the server changed nothing. */
function isRejection(error: unknown): boolean {
  return isAnsweredError(error) && error.status >= 400 && error.status < 500
}

/** Whether the body is too long for the server or a proxy before it, regardless of its operations. */
function isTooLong(error: Error): boolean {
  return isAnsweredError(error) && error.status === 413 && error.details?.operation === undefined
}

const rejectedBefore = 'it was rejected before the import was interrupted'

const byRow = (a: RejectedRow, b: RejectedRow) => a.row.row - b.row.row

function unreadable(rows: readonly Row[]): RejectedRow[] {
  return rows.flatMap((row) => (row.data === null ? { row, errors: row.errors } : []))
}

function sendable(rows: readonly Row[], rejected: readonly RejectedRow[]): Row[] {
  const without = new Set(rejected.map(({ row }) => row))
  return rows.filter((row) => !without.has(row))
}

/** The rows that a dry run rejects; none if it fails for another reason, which the request itself will return too. */
async function dryRunOnce(rows: readonly Row[], steps: Pick<ImportSteps, 'send' | 'pause'>): Promise<RejectedRow[]> {
  return dryRun(rows, steps).catch(() => [])
}

async function dryRun(rows: readonly Row[], steps: Pick<ImportSteps, 'send' | 'pause'>): Promise<RejectedRow[]> {
  if (rows.length === 0) return []
  try {
    await patiently(() => steps.send(operationsText(rows), { dryRun: true }), steps)
    return []
  } catch (error) {
    const found = rejectedRows(error, rows)
    if (found.length === 0) throw error
    return found
  }
}

/** Retries transient errors for up to 15 minutes. */
async function patiently<T>(send: () => Promise<T>, { pause }: Pick<ImportSteps, 'pause'>): Promise<T> {
  for (let waited = 0, tries = 0; ; tries++) {
    try {
      return await send()
    } catch (error) {
      if (!isAnsweredError(error) || !isTransient(error)) throw error
      const seconds = error.retryAfterSeconds ?? Math.min(30, 2 ** tries)
      if (waited + seconds > longestWaitSeconds) throw error
      await pause(seconds, error)
      waited += Math.max(1, seconds)
    }
  }
}

const longestWaitSeconds = 15 * 60
