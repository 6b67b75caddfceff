import type { ListdError } from '#client/src/error.ts'
import type { FlowDiagnostic, FlowTestResult } from '#client/src/types/flow-resources.ts'
import type { FlowTexts } from '#services/dashboard/api/flow-texts.ts'
import { type Finding, findingAtPointer, findingsInCompact } from './findings.ts'

/** The results of checking the texts of a flow. */
export type Checks = {
  findings: Record<keyof FlowTexts, readonly Finding[]>
  /** The results of its tests; null: they were not run, because there are errors. */
  results: readonly FlowTestResult[] | null
  /** Whether the results are for an earlier text, or only from the page itself. */
  isChecking: boolean
  /** Why the service could not check the texts. */
  error: ListdError | undefined
}

export function hasErrors({ document, tests }: Checks['findings']): boolean {
  return [...document, ...tests].some(({ severity }) => severity === 'error')
}

/** The number of failed tests. */
export function failedTests({ results }: Pick<Checks, 'results'>): number {
  return (results ?? []).filter(({ passed }) => !passed).length
}

/** The findings of the service about both texts. */
export function findingsBySource(texts: FlowTexts, diagnostics: readonly FlowDiagnostic[]): Checks['findings'] {
  const of = (name: keyof FlowTexts) =>
    findingsInCompact(
      texts[name],
      diagnostics.filter(({ source }) => source === name),
    )
  return { document: of('document'), tests: of('tests') }
}

/** The findings in a rejection; null: the rejection is not about the texts. */
export function rejectionOf(texts: FlowTexts, { name, message, details = {} }: ListdError): Partial<Checks> | null {
  if (name === 'FLOW_INVALID')
    return { findings: findingsBySource(texts, listIn<FlowDiagnostic>(details.diagnostics)), results: null }
  if (name === 'FLOW_TESTS_FAILED') {
    const failures = listIn<Omit<FlowTestResult, 'passed'>>(details.failures)
    return { results: failures.map((failure) => ({ ...failure, passed: false })) }
  }
  const pointer = takenAt.get(name)
  if (pointer === undefined) return null
  return { findings: { document: [findingAtPointer(texts.document, pointer, message)], tests: [] }, results: null }
}

/** The errors for values that another flow already uses, and their pointers in the document. */
const takenAt = new Map<string, string>([
  ['FLOW_NAME_TAKEN', '/name'],
  ['FLOW_PATH_TAKEN', '/entry/path'],
])

const listIn = <T>(value: unknown): readonly T[] => (Array.isArray(value) ? value : [])
