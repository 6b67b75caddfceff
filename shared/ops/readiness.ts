import { withTimeLimit } from '#shared/time/time-limit.ts'

/** The state of something that a process needs; `degraded` is reported and still counts as ready. */
export type CheckResult = 'ok' | 'degraded' | { degraded: string } | { failed: string }

/** Run on every request, so each must be cheap; their texts are public. */
export type Checks = Readonly<Record<string, () => Promise<CheckResult>>>

export type Readiness = { status: 'ok' | 'degraded' | 'failed'; checks: Record<string, CheckResult> }

/** A check that takes longer has failed. */
const checkTimeoutMs = 2_000

/** Runs all checks at once; the result names what is wrong (contract 2.8). Callers answer 503 to the status `failed`. */
export async function readiness(checks: Checks, timeoutMs = checkTimeoutMs): Promise<Readiness> {
  const names = Object.keys(checks)
  const results = await Promise.all(Object.values(checks).map((check) => runCheck(check, timeoutMs)))
  const worst = (['failed', 'degraded'] as const).find((status) => results.some((result) => hasStatus(result, status)))
  const status = worst ?? 'ok'
  return { status, checks: Object.fromEntries(names.map((name, n) => [name, results[n] ?? 'ok'])) }
}

function hasStatus(result: CheckResult, status: 'failed' | 'degraded'): boolean {
  return typeof result === 'string' ? result === status : status in result
}

/** The result of a check. A check that throws, or returns nothing in time, has failed. */
export async function runCheck(check: () => Promise<CheckResult>, timeoutMs = checkTimeoutMs): Promise<CheckResult> {
  try {
    return await withTimeLimit(check(), timeoutMs, () => ({ failed: 'no answer in time' }))
  } catch {
    // The error may name hosts or statements, and the result is public.
    return { failed: 'not reachable' }
  }
}
