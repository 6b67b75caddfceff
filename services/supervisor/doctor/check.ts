import type { Config } from '#shared/config/load.ts'
import { describeError } from '#shared/lifecycle/describe-error.ts'

/** The result of a check with its name. `wrong` needs fixing; a `note` is worth knowing. */
export type CheckReport = { check: string; state: 'ok' | 'note' | 'wrong'; message: string; fix?: string }

/** One check of the doctor; an error that it throws is reported too. */
export type Check = { name: string; run(context: DoctorContext): Promise<CheckResult | CheckResult[]> }

export type CheckResult = Omit<CheckReport, 'check'>

/** The input of checks. */
export type DoctorContext = {
  config: Config
  /** Whether a listd is running on the data directory. */
  running: boolean
  /** The files, outside the data directory, that the configuration was read from. */
  files: readonly string[]
}

export async function runCheck<Context>(
  check: { name: string; run(context: Context): Promise<CheckResult | CheckResult[]> },
  context: Context,
): Promise<CheckReport[]> {
  try {
    return [await check.run(context)].flat().map((result) => ({ check: check.name, ...result }))
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
