import { type Batch, batchKey, createBatches, operationsText, type Position } from './batches.ts'
import { isAnsweredError, isTransient, type RejectedRow, rejectedRows } from './rejection.ts'
import type { Row } from './rows.ts'

/**
 * How far an import has come: `created`, items that it has made; `existing`, those that were there, because the same rows were sent
 * before; `refused`, rows of which there is no item. `leftOut`: rows behind `row` that were refused already, and are not sent again.
 * `sending`: the end of the batch behind `row`, if it may have been sent.
 */
export type ImportState = Position & {
  created: number
  existing: number
  refused: number
  leftOut: readonly number[]
  sending: Position | null
}

/** What the server answered: `isRepeated`, that the same request was made before, and nothing was made now. */
export type Sent = { isRepeated: boolean }

/** What an import does to the world. */
export type ImportSteps = {
  /**
   * Sends the JSON text of a batch's operations.
   * @throws AnsweredError
   */
  send(operations: string, options: { key: string } | { dryRun: true }): Promise<Sent>
  /** Waits until the server may answer again. */
  pause(seconds: number, why: Error): Promise<void>
  /** Takes rows of which no item is made, in the order of the file. */
  reject(rows: readonly RejectedRow[]): void | Promise<void>
  /** Keeps the state, before a request and behind a batch, so that an import that is cut off goes on from it. */
  save(state: ImportState): void | Promise<void>
  /** Tells the state behind a batch. */
  show(state: ImportState): void
}

export type ImportOptions = {
  /** As `importIdOf` gives it. */
  importId: string
  /** Rows of a batch. An import that goes on has to have the same. */
  most: number
  from?: ImportState | null
  onPassed?: (row: Row) => void
  /** Only finds the rows that would be refused. Rows of two batches may have the same alias without being found. */
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
 * Makes an item of each row, batch by batch; rows that are refused are left out of their batch, which is sent again. Each request has a
 * key by the import, and the rows and their place in it: within a day the same rows of one import are made once, however often they are
 * sent.
 * @throws AnsweredError of what is about all rows; UnreadableFile, AnotherFile; what the steps throw
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
    const { refused, existing } = done
    if (refused.length > 0) await steps.reject(refused)
    state = {
      row: batch.row,
      digest: batch.digest,
      created: state.created + batch.rows.length - refused.length - existing,
      existing: state.existing + existing,
      refused: state.refused + refused.length,
      leftOut: [],
      sending: null,
    }
    if (!options.dryRun) await steps.save(state)
    steps.show(state)
  }
  return state
}

/** What became of a batch: the rows that were refused, in the order of the file, and how many items were there before. */
type Done = { refused: RejectedRow[]; existing: number }

async function examineBatch({ rows }: Batch, steps: ImportSteps): Promise<Done> {
  return { refused: await examine(rows, steps), existing: 0 }
}

/** The rows that would be refused, in the order of the file: those that cannot be read, and those that a dry run refuses. */
export async function examine(
  rows: readonly Row[],
  steps: Pick<ImportSteps, 'send' | 'pause'>,
): Promise<RejectedRow[]> {
  const refused = unreadable(rows)
  for (let left = sendable(rows, refused); left.length > 0; left = sendable(rows, refused)) {
    const found = await dryRun(left, steps)
    if (found.length === 0) break
    refused.push(...found)
  }
  return refused.sort(byRow)
}

type Import = { options: ImportOptions; steps: ImportSteps }

async function importBatch(batch: Batch, before: ImportState, { options, steps }: Import): Promise<Done> {
  const leftOut = batch.rows.filter(({ row }) => before.leftOut.includes(row))
  const known = await dryRunOnce(leftOut, steps)
  const refused = [
    ...unreadable(batch.rows),
    ...leftOut.map((row) => known.find((one) => one.row === row) ?? { row, errors: [{ message: rejectedBefore }] }),
  ]
  let existing = 0
  /** Whether items may have been made, though no answer says so. */
  let isUncertain = false
  await create(batch.rows).catch(async (error: unknown) => {
    // Whoever goes on may then be somebody else: keys belong to who sends them.
    if (!isUncertain && isRejection(error)) await save(null)
    throw error
  })
  return { refused: refused.sort(byRow), existing }

  function save(sending: Position | null) {
    const left = refused.filter(({ row }) => row.data !== null).map(({ row }) => row.row)
    return steps.save({ ...before, leftOut: left, sending })
  }

  async function create(rows: readonly Row[]): Promise<void> {
    for (let left = sendable(rows, refused); left.length > 0; left = sendable(rows, refused)) {
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
      // A dry run names all that are refused; by now it may find none.
      const all = await dryRunOnce(left, steps)
      const found = all.length > 0 ? all : named
      // In a batch that was made before, every alias is taken: without its other rows it is answered as it was then.
      const wrong = found.filter(({ isTaken }) => !isTaken)
      refused.push(...(wrong.length > 0 ? wrong : found))
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

/** Whether the server has said that it did nothing. */
function isRejection(error: unknown): boolean {
  return isAnsweredError(error) && error.status >= 400 && error.status < 500
}

/** A body that is too long for the server or what is before it, whatever its operations are. */
function isTooLong(error: Error): boolean {
  return isAnsweredError(error) && error.status === 413 && error.details?.operation === undefined
}

const rejectedBefore = 'it was refused before the import was cut off'

const byRow = (a: RejectedRow, b: RejectedRow) => a.row.row - b.row.row

function unreadable(rows: readonly Row[]): RejectedRow[] {
  return rows.flatMap((row) => (row.data === null ? { row, errors: row.errors } : []))
}

function sendable(rows: readonly Row[], refused: readonly RejectedRow[]): Row[] {
  const without = new Set(refused.map(({ row }) => row))
  return rows.filter((row) => !without.has(row))
}

/** The rows that a dry run refuses; none where it is refused for another reason, which the request itself will tell. */
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

/** Sends again, for a quarter of an hour, what may succeed later. */
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
