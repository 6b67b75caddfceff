import {
  checkDefinition,
  type FlowSurroundings,
  type FlowTexts,
  readDefinition,
} from '#shared/domain/flow/definition.ts'
import { formatJson } from '../../terminal/listing.ts'
import type { Terminal } from '../../terminal/terminal.ts'
import { createPaint } from '../paint.ts'
import type { ProfileOptions } from '../sessions/with-profile.ts'
import { readSurroundings } from './around.ts'
import { renderFindings, renderTests } from './render-report.ts'
import { type FlowCheck, type FlowReport, readReport, throwIfAnyFailed } from './report.ts'
import { serverReports } from './server-check.ts'

export type CheckOptions = ProfileOptions & { schema?: string; server?: true; json?: true }

/**
 * `listd flows check`: what is wrong with the documents and the tests of flows, by the server's own checks: without a server, or with
 * `--server` against what there is now; of files, or of all flows that the server has.
 * @throws Error when there are errors
 */
export async function checkFlowsCommand(
  terminal: Terminal,
  files: readonly string[],
  options: CheckOptions,
): Promise<void> {
  const reports = await reportsOn(terminal, files, options, async ({ texts, known }) => {
    return { diagnostics: readDefinition(texts, known).diagnostics, tests: [] }
  })
  const { stdout } = terminal
  if (options.json) stdout.write(formatJson(reports.map(({ file, diagnostics }) => ({ file, diagnostics }))))
  else for (const report of reports) stdout.write(renderFindings(report) || `${report.file} has no errors.\n`)
  // A check reports on the texts; `flows test` reports what becomes of tests.
  throwIfAnyFailed(reports.map((report) => ({ ...report, tests: [] })))
}

/**
 * `listd flows test`: runs the tests of flows in memory where there are no errors: without a server, or with `--server` at a server, in the
 * lists that it has.
 * @throws Error when there are errors, or a test fails
 */
export async function testFlowsCommand(
  terminal: Terminal,
  files: readonly string[],
  options: CheckOptions,
): Promise<void> {
  const reports = await reportsOn(terminal, files, options, async ({ texts, known }) => checkDefinition(texts, known))
  const { env, stdout, stderr } = terminal
  const paint = createPaint({ env }, stdout)
  if (options.json) stdout.write(formatJson(reports))
  else for (const report of reports) stdout.write(renderFindings(report) + renderTests(report, paint))
  const hasFailed = reports.some(({ tests }) => tests.some(({ passed }) => !passed))
  if (options.schema === undefined && !options.server && hasFailed)
    stderr.write('Lists have neither schema nor indexes here; --schema gives them theirs.\n')
  throwIfAnyFailed(reports)
}

/** What is known of a flow where it is checked without a server. */
type Local = (flow: { texts: FlowTexts; known: FlowSurroundings }) => ReturnType<FlowCheck>

/** @throws Error for options that do not go together, or a file that cannot be read; CommandFailed for a call that failed */
async function reportsOn(
  terminal: Terminal,
  files: readonly string[],
  { schema, server, profile }: CheckOptions,
  check: Local,
): Promise<FlowReport[]> {
  if (server) {
    if (schema !== undefined) throw new Error('name --schema or --server, not both.')
    return await serverReports(terminal, files, { ...(profile !== undefined && { profile }) })
  }
  if (profile !== undefined) throw new Error('--profile goes with --server.')
  if (files.length === 0) throw new Error('name files, or --server for all flows of a listd.')
  const known = await readSurroundings(schema)
  return await Promise.all(files.map((file) => readReport(file, (texts) => check({ texts, known }))))
}
