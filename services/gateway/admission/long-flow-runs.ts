import { type AdmissionQueue, createAdmissionQueue } from '#shared/admission/admission-queue.ts'
import { longFlowRuns } from '#shared/domain/limits.ts'
import { AppError } from '#shared/errors.ts'

/**
 * Queues long runs of flows, and long documents of flows to be parsed, so that they share the processor and the memory of a
 * gateway. A run waits for its turn before it enters an exclusive section, never inside it: others would wait for the turn too.
 */
export type LongFlowRuns = { enter: AdmissionQueue }

type Limits = Record<'atOnce' | 'perAccount' | 'waitMs', number> & { waiting: { all: number; account: number } }

export function createLongFlowRuns(limits: Limits = longFlowRuns): LongFlowRuns {
  const { atOnce, perAccount, waiting, waitMs } = limits
  const bounds = (entries: number) => ({ entries, size: entries })
  return {
    enter: createAdmissionQueue({
      atOnce,
      perAccount,
      waiting: { all: bounds(waiting.all), account: bounds(waiting.account) },
      waitMs,
      createError: tooManyWait,
    }),
  }
}

/** The owner of a turn: an account, or the callers of its flows without credentials. */
export function turnOf(accountId: string, { isAnybody }: { isAnybody: boolean }): { accountId: string; size: number } {
  return { accountId: isAnybody ? `${accountId} anybody` : accountId, size: 1 }
}

function tooManyWait(reason: string): AppError {
  const { retryAfterSeconds } = longFlowRuns
  const message = 'Too many long runs of flows are waiting; try again later.'
  return new AppError('RATE_LIMIT_EXCEEDED', { message, retryAfterSeconds, reason })
}
