import type { Config } from '#shared/config/load.ts'
import { sentenceOf } from '#shared/lifecycle/describe-error.ts'

/** What the doctor found in one place. `wrong` must be mended; a `note` is worth knowing. */
export type Finding = { check: string; state: 'ok' | 'note' | 'wrong'; says: string; mend?: string }

/** One thing that the doctor looks at; what it throws is a finding too. */
export type Check = { name: string; look(patient: Patient): Promise<Verdict | Verdict[]> }

export type Verdict = Omit<Finding, 'check'>

/** What is looked at; `running`: a listd has the data directory now. */
export type Patient = { config: Config; running: boolean }

export async function lookAt<Subject>(
  check: { name: string; look(subject: Subject): Promise<Verdict | Verdict[]> },
  subject: Subject,
): Promise<Finding[]> {
  try {
    return [await check.look(subject)].flat().map((verdict) => ({ check: check.name, ...verdict }))
  } catch (error) {
    return [{ check: check.name, state: 'wrong', says: sentenceOf(error) }]
  }
}

export function ok(says: string): Verdict {
  return { state: 'ok', says }
}

export function note(says: string, mend: string): Verdict {
  return { state: 'note', says, mend }
}

export function wrong(says: string, mend: string): Verdict {
  return { state: 'wrong', says, mend }
}
