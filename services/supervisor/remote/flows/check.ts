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
 * `listd flows check`: reports errors in the documents and tests of flows, with the server's own checks. It checks files without a
 * server, or with `--server` files or all flows of the server, against its current resources.
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
  // A check reports on the texts only; `flows test` reports the results of tests.
  throwIfAnyFailed(reports.map((report) => ({ ...report, tests: [] })))
}

/**
 * `listd flows test`: runs the tests of flows that have no errors, in memory: without a server, or with `--server` on the server, with
 * its lists.
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
    stderr.write('Lists have no schema or indexes in this check; provide them with --schema.\n')
  throwIfAnyFailed(reports)
}

/** What is known about a flow that is checked without a server. */
type Local = (flow: { texts: FlowTexts; known: FlowSurroundings }) => ReturnType<FlowCheck>

/** @throws Error for options that exclude each other, or an unreadable file; CommandFailed for a failed call */
async function reportsOn(
  terminal: Terminal,
  files: readonly string[],
  { schema, server, profile }: CheckOptions,
  check: Local,
): Promise<FlowReport[]> {
  if (server) {
    if (schema !== undefined) throw new Error('use --schema or --server, not both.')
    return await serverReports(terminal, files, { ...(profile !== undefined && { profile }) })
  }
  if (profile !== undefined) throw new Error('--profile can only be used with --server.')
  if (files.length === 0) throw new Error('specify files, or use --server for all flows of a listd.')
  const known = await readSurroundings(schema)
  return await Promise.all(files.map((file) => readReport(file, (texts) => check({ texts, known }))))
}
