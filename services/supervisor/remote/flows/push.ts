import { type Client, ListdError, RawJson } from '#client/src/main.ts'
import { type DefinitionDiagnostic, type FlowSurroundings, readDefinition } from '#shared/domain/flow/definition.ts'
import type { FlowTestResult } from '#shared/domain/flow/tests.ts'
import { isObject } from '#shared/json/is-object.ts'
import { CommandFailed } from '../../command-failed.ts'
import { formatJson, printable } from '../../listing.ts'
import type { Terminal } from '../../terminal.ts'
import { failureOf } from '../answer-failure.ts'
import { readTextFile } from '../document-file.ts'
import { plain } from '../paint.ts'
import type { ProfileOptions } from '../sessions/with-profile.ts'
import { readSurroundings } from './around.ts'
import { type FlowFile, findingsInFile, readFlowFile, textsOf } from './flow-file.ts'
import { findKeptFlow, type KeptFlow } from './kept-flow.ts'
import { renderFindings, testLines } from './render-report.ts'
import { callsAsToken, withClient } from './with-client.ts'

/** What became of a file. */
type Pushed = { file: string; name: string; id: string; result: 'created' | 'updated' | 'unchanged'; version: number }

/**
 * `listd flows push`: creates the flows of files, or gives the flows with their names what the files say; what is so already is not
 * written. All files are read before the first is pushed. Warnings are told on standard error.
 * @throws CommandFailed for what the server refuses, with the lines and columns of the file; files before it are pushed
 */
export async function pushFlowsCommand(
  terminal: Terminal,
  files: readonly string[],
  options: ProfileOptions & { json?: true },
): Promise<void> {
  const flows = await Promise.all(files.map(async (file) => ({ file, flow: await readToPush(file) })))
  const pushed: Pushed[] = []
  await withClient(terminal, options, async (client) => {
    for (const { file, flow } of flows) {
      const one = { file, ...(await push(client, file, flow)) }
      if (!options.json) terminal.stdout.write(`${printable(sentenceOf(one))}\n`)
      pushed.push(one)
      terminal.stderr.write(await warningsIn(file, flow, callsAsToken(terminal, options) ? 'unseen' : null))
    }
  })
  if (options.json) terminal.stdout.write(formatJson(pushed))
}

/** @throws Error for a file that is no definition of a flow; what is in its document and tests the server checks */
async function readToPush(file: string): Promise<FlowFile> {
  const { flow, findings } = readFlowFile(await readTextFile(file))
  if (flow) return flow
  throw new Error(`${file} is no definition of a flow:\n${renderFindings({ file, diagnostics: findings }).trimEnd()}`)
}

async function push(client: Client, file: string, flow: FlowFile): Promise<Omit<Pushed, 'file'>> {
  const name = nameIn(flow)
  const kept = name === null ? null : await findKeptFlow(client, name)
  if (kept && isSame(flow, kept)) return { name: kept.name, id: kept.id, result: 'unchanged', version: kept.version }
  const { document, tests, settings } = flow
  const fields = {
    ...settings,
    document: new RawJson(document.text),
    ...(tests !== undefined && { tests: tests && new RawJson(tests.text) }),
  }
  const { flowDefinitions } = client
  const call = kept ? flowDefinitions.replace(kept.id, fields) : flowDefinitions.create(fields)
  const {
    id,
    version,
    name: given,
  } = await call.catch((error: unknown) => {
    throw error instanceof ListdError ? withFindings(error, file, flow) : error
  })
  return { name: given, id, result: kept ? 'updated' : 'created', version }
}

/** A server answers errors only. */
async function warningsIn(file: string, flow: FlowFile, webhooks: FlowSurroundings['webhooks']): Promise<string> {
  const { diagnostics } = readDefinition(textsOf(flow), { ...(await readSurroundings(undefined)), webhooks })
  const warnings = diagnostics.filter(({ severity }) => severity === 'warning')
  return renderFindings({ file, diagnostics: findingsInFile(flow, warnings) })
}

/** Null: the document has none, and is refused. */
function nameIn({ document }: FlowFile): string | null {
  const value: unknown = JSON.parse(document.text)
  return isObject(value) && typeof value.name === 'string' ? value.name : null
}

/** Whether a push would change nothing: what the file does not say stays. */
function isSame({ document, tests, settings }: FlowFile, kept: KeptFlow): boolean {
  const { activated = kept.activated, logged = kept.logged } = settings
  const isText = document.text === kept.document && (tests === undefined || (tests?.text ?? null) === kept.tests)
  return isText && activated === kept.activated && logged === kept.logged
}

/** The refusal of a flow with the lines that it is about. */
export function withFindings(error: ListdError, file: string, flow: FlowFile): CommandFailed {
  const { diagnostics = [], failures = [] } = (error.details ?? {}) as Refusal
  const found = renderFindings({ file, diagnostics: findingsInFile(flow, diagnostics) })
  const failed = failures.flatMap((failure) => testLines({ ...failure, passed: false }, plain))
  const { message, exitCode, facts } = failureOf(error)
  const lines = [`${file}: ${message}`, ...found.split('\n').filter(Boolean), ...failed]
  return new CommandFailed(lines.join('\n'), exitCode, { cause: error, facts })
}

/** Details of FLOW_INVALID and FLOW_TESTS_FAILED. */
type Refusal = { diagnostics?: DefinitionDiagnostic[]; failures?: Omit<FlowTestResult, 'passed'>[] }

function sentenceOf({ name, result, version }: Pushed): string {
  if (result === 'created') return `Created "${name}".`
  return result === 'updated' ? `Updated "${name}", now at version ${version}.` : `"${name}" is unchanged.`
}
