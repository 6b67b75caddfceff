import { ListdError } from '#client/src/error.ts'
import type { ItemOperation } from './bulk-change.ts'

/** One step of a run: an operation, and the item that it is of. */
export type BulkStep = { operation: ItemOperation }

/** What was not done, of which item, and why. */
export type BulkFailure = { item: string; message: string }

export type BulkProgress = {
  /** Steps whose batch was answered. */
  done: number
  /** Items that needed no change. */
  unchanged: number
  failed: number
  /** The first failures, of which there may be more. */
  failures: readonly BulkFailure[]
  /** Seconds until the server is asked again; null: nothing waits. */
  waits: number | null
}

/** How a run ended. `unknown`: steps of a batch whose answer never came, so that nobody knows whether they were done. */
export type BulkOutcome = BulkProgress & {
  end: 'all' | 'stopped' | 'broken'
  unknown: number
  error: ListdError | null
}

export type BulkRun = {
  /** Steps in parts, each of which becomes a batch; null is an item that needs no change. */
  parts: AsyncIterable<readonly (BulkStep | null)[]>
  /** Does operations all or none. Under the same key it does them once. */
  send: (operations: readonly ItemOperation[], key: string) => Promise<unknown>
  newKey: () => string
  /** Ends early when the signal does. */
  wait: (seconds: number, signal: AbortSignal) => Promise<void>
  /** Stops before the next batch: one that was sent is awaited, so that it is known what was done. */
  signal: AbortSignal
  onProgress: (progress: BulkProgress) => void
  /** Is called after each batch. */
  onDone?: (steps: readonly BulkStep[]) => void
}

/** Failures that are kept to be shown one by one. */
export const mostFailures = 200
/** How often a batch is sent again whose answer was lost or put off. */
const mostTries = 5
const waitSeconds = 2

/** Does steps batch by batch. An item that fails is left out of its batch and reported; what would fail for all ends the run. */
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
    // In any case, what was done before has to be reported.
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

/** Which step an error is of; null: it is of none alone. */
function failedStep({ status, name, details }: ListdError, steps: number): number | null {
  if (status < 400 || status >= 500 || [401, 403, 429].includes(status) || name.startsWith('LIST_')) return null
  return details?.operation ?? (steps === 1 ? 0 : null)
}

const itemOf = ({ operation }: BulkStep) => ('item' in operation ? operation.item : '')

/** Sends a batch, again where time may help. @returns why it was rejected. @throws ListdError when it was never answered */
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

/** Whether nobody knows if the request was done. */
const isUnanswered = ({ status }: ListdError) => status === 0 || (status >= 500 && status !== 503)

const mayHelpToWait = (error: ListdError) => isUnanswered(error) || error.status === 429 || error.status === 503
