import { ListdError } from '#client/src/error.ts'
import type { ItemOperation } from './bulk-change.ts'

/** One step of a run: an operation on one item. */
export type BulkStep = { operation: ItemOperation }

/** An item that could not be changed, and why. */
export type BulkFailure = { item: string; message: string }

export type BulkProgress = {
  /** Steps whose batch succeeded. */
  done: number
  /** Items that needed no change. */
  unchanged: number
  failed: number
  /** The first `mostFailures` failures. */
  failures: readonly BulkFailure[]
  /** Seconds until a batch is sent again; null: no batch waits. */
  waits: number | null
}

/** How a run ended. `unknown`: steps of a batch that got no response, which may or may not have been done. */
export type BulkOutcome = BulkProgress & {
  end: 'all' | 'stopped' | 'broken'
  unknown: number
  error: ListdError | null
}

export type BulkRun = {
  /** Steps in parts, one batch for each part; null: an item that needs no change. */
  parts: AsyncIterable<readonly (BulkStep | null)[]>
  /** Performs all operations or none. With the same key it performs them only once. */
  send: (operations: readonly ItemOperation[], key: string) => Promise<unknown>
  newKey: () => string
  /** Ends early when the signal is aborted. */
  wait: (seconds: number, signal: AbortSignal) => Promise<void>
  /** Stops the run before the next batch. A batch that was sent is awaited, so that its result is known. */
  signal: AbortSignal
  onProgress: (progress: BulkProgress) => void
  /** Called after each batch. */
  onDone?: (steps: readonly BulkStep[]) => void
}

/** Failures that are kept, to list them. */
export const mostFailures = 200
/** How often a batch is sent at most, if its response is lost or the server is busy. */
const mostTries = 5
const waitSeconds = 2

/** Performs steps batch by batch. A failed item is removed from its batch and reported; an error that affects all items ends the run. */
export async function runBulk(run: BulkRun): Promise<BulkOutcome> {
  const tally: BulkProgress & { unknown: number } = { ...nothingDone, failures: [], unknown: 0 }
  const ended = (end: BulkOutcome['end'], error: ListdError | null = null): BulkOutcome => ({
    ...tally,
    waits: null,
    end,
    error,
  })
  try {
    for await (const part of run.parts) {
      if (run.signal.aborted) return ended('stopped')
      const steps = part.filter((step) => step !== null)
      tally.unchanged += part.length - steps.length
      await sendSteps(run, tally, steps)
      run.onProgress({ ...tally })
      if (run.signal.aborted) return ended('stopped')
    }
    return ended('all')
  } catch (error) {
    if (error instanceof ListdError) return ended('broken', error)
    if (run.signal.aborted) return ended('stopped')
    // An unexpected error also ends the run here, so that the earlier batches are reported.
    return ended('broken', new ListdError({ name: 'UNEXPECTED_ANSWER', message: String(error), cause: error }))
  }
}

const nothingDone: BulkProgress = { done: 0, unchanged: 0, failed: 0, failures: [], waits: null }

type Tally = BulkProgress & { unknown: number }

/** Sends one batch until all its steps are done or reported. @throws ListdError that ends the run */
async function sendSteps(run: BulkRun, tally: Tally, steps: readonly BulkStep[]): Promise<void> {
  let left = steps
  while (left.length > 0) {
    const error = await trySend(run, tally, left)
    if (error === null) {
      tally.done += left.length
      run.onDone?.(left)
      return
    }
    if (error.status === 413 && left.length > 1) {
      const half = Math.ceil(left.length / 2)
      await sendSteps(run, tally, left.slice(0, half))
      left = left.slice(half)
      continue
    }
    const at = failedStep(error, left.length)
    const failed = at === null ? undefined : left[at]
    if (at === null || !failed) throw error
    tally.failed++
    if (tally.failures.length < mostFailures) {
      tally.failures = [...tally.failures, { item: itemOf(failed), message: error.message }]
    }
    left = left.toSpliced(at, 1)
    run.onProgress({ ...tally })
    if (run.signal.aborted) throw run.signal.reason
  }
}

/** The index of the step that an error is about; null: it is not about a single step. */
function failedStep({ status, name, details }: ListdError, steps: number): number | null {
  if (status < 400 || status >= 500 || [401, 403, 429].includes(status) || name.startsWith('LIST_')) return null
  return details?.operation ?? (steps === 1 ? 0 : null)
}

const itemOf = ({ operation }: BulkStep) => ('item' in operation ? operation.item : '')

/** Sends a batch, again if waiting may help. @returns why it was rejected; null: it succeeded. @throws ListdError when all tries failed */
async function trySend(run: BulkRun, tally: Tally, steps: readonly BulkStep[]): Promise<ListdError | null> {
  const key = run.newKey()
  const operations = steps.map(({ operation }) => operation)
  for (let tries = 1; ; tries++) {
    const error = await run.send(operations, key).then(
      () => null,
      (failure) => asListdError(failure),
    )
    if (error === null || !mayHelpToWait(error)) return error
    const seconds = error.retryAfterSeconds ?? waitSeconds
    run.onProgress({ ...tally, waits: seconds })
    if (tries < mostTries) await run.wait(seconds, run.signal)
    if (tries < mostTries && !run.signal.aborted) continue
    if (isUnanswered(error)) tally.unknown += steps.length
    throw run.signal.aborted ? run.signal.reason : error
  }
}

function asListdError(failure: unknown): ListdError {
  if (failure instanceof ListdError) return failure
  throw failure
}

/** Whether it is unknown if the request was performed. */
const isUnanswered = ({ status }: ListdError) => status === 0 || (status >= 500 && status !== 503)

const mayHelpToWait = (error: ListdError) => isUnanswered(error) || error.status === 429 || error.status === 503
