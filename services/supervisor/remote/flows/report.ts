import type { FlowChecked, FlowTexts } from '#shared/domain/flow/definition.ts'
import type { Diagnostic } from '#shared/domain/flow/language/diagnostics.ts'
import type { FlowTestResult } from '#shared/domain/flow/tests/tests.ts'
import { counted } from '#shared/domain/text/counted.ts'
import { readTextFile } from '../document-file.ts'
import { findingsInFile, readFlowFile, textsOf } from './flow-file.ts'

/** The findings in the file of a flow, by lines and columns of the file, and the results of its tests. */
export type FlowReport = { file: string; diagnostics: readonly Diagnostic[]; tests: readonly FlowTestResult[] }

/** Checks a document and its tests. */
export type FlowCheck = (texts: FlowTexts) => Promise<Pick<FlowChecked, 'diagnostics' | 'tests'>>

/** @throws Error for a file that cannot be read; what `check` throws */
export async function readReport(file: string, check: FlowCheck): Promise<FlowReport> {
  return reportOn({ file, text: await readTextFile(file) }, check)
}

/** The same for the text of a file. @throws what `check` throws */
export async function reportOn({ file, text }: { file: string; text: string }, check: FlowCheck): Promise<FlowReport> {
  const { flow, findings } = readFlowFile(text)
  if (!flow) return { file, diagnostics: findings, tests: [] }
  const { diagnostics, tests } = await check(textsOf(flow))
  return { file, diagnostics: [...findings, ...findingsInFile(flow, diagnostics)], tests }
}

/** @throws Error with a sentence that counts errors and failed tests */
export function throwIfAnyFailed(reports: readonly FlowReport[]): void {
  const errors = reports.flatMap(({ diagnostics }) => diagnostics.filter(({ severity }) => severity === 'error'))
  const tests = reports.flatMap((report) => report.tests)
  const failed = tests.filter(({ passed }) => !passed).length
  const counts = [
    ...(errors.length > 0 ? [`there ${errors.length === 1 ? 'is' : 'are'} ${counted(errors.length, 'error')}`] : []),
    ...(failed > 0 ? [`${failed} of ${counted(tests.length, 'test')} failed`] : []),
  ]
  if (counts.length > 0) throw new Error(`${counts.join(', and ')}.`)
}
