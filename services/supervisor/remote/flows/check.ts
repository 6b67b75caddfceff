import { checkDefinition, readDefinition } from '#shared/domain/flow/definition.ts'
import { formatJson } from '../../listing.ts'
import type { Terminal } from '../../terminal.ts'
import { createPaint } from '../paint.ts'
import { readSurroundings } from './around.ts'
import { renderFindings, renderTests } from './render-report.ts'
import { readReport, throwIfAnyFailed } from './report.ts'

export type CheckOptions = { schema?: string; json?: true }

/**
 * `listd flows check`: what is wrong with the documents and the tests of flows, by the server's own checks and without a server.
 * @throws Error when there are errors
 */
export async function checkFlowsCommand(
  { stdout }: Terminal,
  files: readonly string[],
  { schema, json }: CheckOptions,
): Promise<void> {
  const around = await readSurroundings(schema)
  const reports = await Promise.all(
    files.map((file) =>
      readReport(file, (texts) => ({ diagnostics: readDefinition(texts, around).diagnostics, tests: [] })),
    ),
  )
  if (json) stdout.write(formatJson(reports.map(({ file, diagnostics }) => ({ file, diagnostics }))))
  else for (const report of reports) stdout.write(renderFindings(report) || `${report.file} has no errors.\n`)
  throwIfAnyFailed(reports)
}

/**
 * `listd flows test`: runs the tests of flows in memory, without a server, where there are no errors.
 * @throws Error when there are errors, or a test fails
 */
export async function testFlowsCommand(
  { env, stdout, stderr }: Terminal,
  files: readonly string[],
  { schema, json }: CheckOptions,
): Promise<void> {
  const around = await readSurroundings(schema)
  const reports = await Promise.all(files.map((file) => readReport(file, (texts) => checkDefinition(texts, around))))
  const paint = createPaint({ env }, stdout)
  if (json) stdout.write(formatJson(reports))
  else for (const report of reports) stdout.write(renderFindings(report) + renderTests(report, paint))
  const hasFailed = reports.some(({ tests }) => tests.some(({ passed }) => !passed))
  if (schema === undefined && hasFailed)
    stderr.write('Lists have neither schema nor indexes here; --schema gives them theirs.\n')
  throwIfAnyFailed(reports)
}
