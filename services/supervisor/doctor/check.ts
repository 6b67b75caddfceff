import type { Config } from '#shared/config/load.ts'
import { describeError } from '#shared/lifecycle/describe-error.ts'

/** What the doctor found in one place. `wrong` must be mended; a `note` is worth knowing. */
export type CheckReport = { check: string; state: 'ok' | 'note' | 'wrong'; message: string; fix?: string }

/** One thing that the doctor looks at; what it throws is a report too. */
export type Check = { name: string; run(context: DoctorContext): Promise<CheckResult | CheckResult[]> }

export type CheckResult = Omit<CheckReport, 'check'>

/** What is looked at; `running`: a listd has the data directory now. */
export type DoctorContext = { config: Config; running: boolean }

export async function runCheck<Subject>(
  check: { name: string; run(subject: Subject): Promise<CheckResult | CheckResult[]> },
  subject: Subject,
): Promise<CheckReport[]> {
  try {
    return [await check.run(subject)].flat().map((verdict) => ({ check: check.name, ...verdict }))
  } catch (error) {
    return [{ check: check.name, state: 'wrong', message: describeError(error) }]
  }
}

export function ok(message: string): CheckResult {
  return { state: 'ok', message }
}

export function note(message: string, fix: string): CheckResult {
  return { state: 'note', message, fix }
}

export function wrong(message: string, fix: string): CheckResult {
  return { state: 'wrong', message, fix }
}
