/** How one thing that a process needs is doing; `degraded` is reported and still serves. */
export type CheckResult = 'ok' | 'degraded' | { degraded: string } | { failed: string }

/** Asked on every call, so each must be cheap; their texts are public. */
export type Checks = Readonly<Record<string, () => Promise<CheckResult>>>

export type Readiness = { status: 'ok' | 'degraded' | 'failed'; checks: Record<string, CheckResult> }

/** A check that has not answered by then has failed. */
const checkTimeoutMs = 2_000

/** Runs all checks at once: what is wrong, by name (contract 2.8). Answer 503 when the status is `failed`. */
export async function readiness(checks: Checks, timeoutMs = checkTimeoutMs): Promise<Readiness> {
  const names = Object.keys(checks)
  const results = await Promise.all(Object.values(checks).map((check) => runCheck(check, timeoutMs)))
  const worst = (['failed', 'degraded'] as const).find((status) => results.some((result) => isThat(result, status)))
  const status = worst ?? 'ok'
  return { status, checks: Object.fromEntries(names.map((name, n) => [name, results[n] ?? 'ok'])) }
}

function isThat(result: CheckResult, status: 'failed' | 'degraded'): boolean {
  return typeof result === 'string' ? result === status : status in result
}

async function runCheck(check: () => Promise<CheckResult>, timeoutMs: number): Promise<CheckResult> {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<CheckResult>((resolve) => {
    timer = setTimeout(() => resolve({ failed: 'no answer in time' }), timeoutMs)
  })
  try {
    return await Promise.race([check(), late])
  } catch {
    // What it threw may name hosts or statements, and this answer is public.
    return { failed: 'not reachable' }
  } finally {
    clearTimeout(timer)
  }
}
