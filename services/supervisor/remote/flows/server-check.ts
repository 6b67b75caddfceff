import { type Client, RawJson } from '#client/src/main.ts'
import type { FlowChecked } from '#shared/domain/flow/definition.ts'
import type { Terminal } from '../../terminal/terminal.ts'
import type { ProfileOptions } from '../sessions/with-profile.ts'
import { allFlows, definitionText } from './pull.ts'
import { type FlowCheck, type FlowReport, readReport, reportOn } from './report.ts'
import { withClient } from './with-client.ts'

/** Lets the server check flows against its current resources, and run their tests. */
export function checkAtServer({ flowDefinitions }: Client): FlowCheck {
  return async ({ document, tests }) => {
    const fields = { document: new RawJson(document), tests: tests === null ? null : new RawJson(tests) }
    return (await flowDefinitions.check(fields)) as Pick<FlowChecked, 'diagnostics' | 'tests'>
  }
}

/**
 * The same for files, or without files for all flows of the server, whose lines are those of the files that `pull` writes.
 * @throws Error for an unreadable file; CommandFailed for a failed call
 */
export function serverReports(
  terminal: Terminal,
  files: readonly string[],
  options: ProfileOptions,
): Promise<FlowReport[]> {
  return withClient(terminal, options, async (client) => {
    const check = checkAtServer(client)
    const reports: FlowReport[] = []
    for (const file of files) reports.push(await readReport(file, check))
    if (files.length > 0) return reports
    for await (const flow of allFlows(client))
      reports.push(await reportOn({ file: JSON.stringify(flow.name), text: definitionText(flow) }, check))
    return reports
  })
}
