import { type Client, ListdError, RawJson } from '#client/src/main.ts'
import type { DefinitionDiagnostic } from '#shared/domain/flow/definition.ts'
import type { FlowTestResult } from '#shared/domain/flow/tests/tests.ts'
import { isObject } from '#shared/json/is-object.ts'
import { CommandFailed } from '../../terminal/command-failed.ts'
import { formatJson, printable } from '../../terminal/listing.ts'
import type { Terminal } from '../../terminal/terminal.ts'
import { failureOf } from '../answer-failure.ts'
import { readTextFile } from '../document-file.ts'
import { plain } from '../paint.ts'
import type { ProfileOptions } from '../sessions/with-profile.ts'
import { type FlowFile, findingsInFile, readFlowFile } from './flow-file.ts'
import { findKeptFlow, type KeptFlow } from './kept-flow.ts'
import { renderFindings, testLines } from './render-report.ts'
import { checkAtServer } from './server-check.ts'
import { withClient } from './with-client.ts'

/** The result of pushing a file. */
type Pushed = { file: string; name: string; id: string; result: 'created' | 'updated' | 'unchanged'; version: number }

/**
 * `listd flows push`: creates flows from files, or updates the flows with the same names. A flow that already matches its file is not
 * written, but checked again, because its lists and webhooks may have changed. All files are read before the first is pushed. Warnings
 * go to standard error.
 * @throws CommandFailed for a flow that the server rejects, with the lines and columns of the file; the files before it are pushed. At
 *   the end, for unchanged flows that the server would now reject
 */
export async function pushFlowsCommand(
  terminal: Terminal,
  files: readonly string[],
  options: ProfileOptions & { json?: true },
): Promise<void> {
  const flows = await Promise.all(files.map(async (file) => ({ file, flow: await readToPush(file) })))
  const pushed: Pushed[] = []
  const broken: string[] = []
  await withClient(terminal, options, async (client) => {
    for (const { file, flow } of flows) {
      const { found, ...one } = await push(client, file, flow)
      if (!options.json) terminal.stdout.write(`${printable(sentenceOf(one))}\n`)
      pushed.push({ file, ...one })
      terminal.stderr.write(found.text)
      if (found.isBroken) broken.push(file)
    }
  })
  if (options.json) terminal.stdout.write(formatJson(pushed))
  if (broken.length > 0) throw new CommandFailed(brokenSentence(broken), 1)
}

function brokenSentence(files: readonly string[]): string {
  return `The server still has the ${files.length === 1 ? 'flow' : 'flows'} of ${files.join(', ')}, but would now reject ${files.length === 1 ? 'it' : 'them'}.`
}

/** @throws Error for a file that is not a flow definition; the server checks its document and tests */
async function readToPush(file: string): Promise<FlowFile> {
  const { flow, findings } = readFlowFile(await readTextFile(file))
  if (flow) return flow
  throw new Error(`${file} is not a flow definition:\n${renderFindings({ file, diagnostics: findings }).trimEnd()}`)
}

/** The findings in a flow, as lines; `isBroken`: the server would reject it. */
type Found = { text: string; isBroken: boolean }

async function push(client: Client, file: string, flow: FlowFile): Promise<Omit<Pushed, 'file'> & { found: Found }> {
  const name = nameIn(flow)
  const kept = name === null ? null : await findKeptFlow(client, name)
  if (kept && isSame(flow, kept)) {
    const { name, id, version } = kept
    return { name, id, result: 'unchanged', version, found: await checkAgain(client, { file, flow, kept }) }
  }
  const { document, tests, settings } = flow
  const fields = {
    ...settings,
    document: new RawJson(document.text),
    ...(tests !== undefined && { tests: tests && new RawJson(tests.text) }),
  }
  const { flowDefinitions } = client
  const call = kept ? flowDefinitions.replace(kept.id, fields) : flowDefinitions.create(fields)
  const written = await call.catch((error: unknown) => {
    throw error instanceof ListdError ? withFindings(error, file, flow) : error
  })
  const { id, version, name: given, diagnostics = [] } = written
  const found = findingsInFile(flow, diagnostics as DefinitionDiagnostic[])
  const text = renderFindings({ file, diagnostics: found })
  return { name: given, id, result: kept ? 'updated' : 'created', version, found: { text, isBroken: false } }
}

/** Checks a flow that already matches its file. A caller that may not create flows is notified that it was not checked. */
async function checkAgain(
  client: Client,
  { file, flow, kept }: { file: string; flow: FlowFile; kept: KeptFlow },
): Promise<Found> {
  try {
    const { diagnostics, tests } = await checkAtServer(client)(kept)
    const failed = tests.filter(({ passed }) => !passed).flatMap((test) => testLines(test, plain))
    const found = renderFindings({ file, diagnostics: findingsInFile(flow, diagnostics) })
    const text = found + failed.map((line) => `${line}\n`).join('')
    return { text, isBroken: failed.length > 0 || diagnostics.some(({ severity }) => severity === 'error') }
  } catch (error) {
    if (!(error instanceof ListdError) || error.status !== 403) throw error
    return { text: `${file} was not checked again: that needs the permission to create flows.\n`, isBroken: false }
  }
}

/** Null: the document has no name, and is rejected. */
function nameIn({ document }: FlowFile): string | null {
  const value: unknown = JSON.parse(document.text)
  return isObject(value) && typeof value.name === 'string' ? value.name : null
}

/** Whether a push would change nothing: fields that the file omits stay unchanged. */
function isSame({ document, tests, settings }: FlowFile, kept: KeptFlow): boolean {
  const { activated = kept.activated, logged = kept.logged } = settings
  const isText = document.text === kept.document && (tests === undefined || (tests?.text ?? null) === kept.tests)
  return isText && activated === kept.activated && logged === kept.logged
}

/** The rejection of a flow, with the affected lines. */
export function withFindings(error: ListdError, file: string, flow: FlowFile): CommandFailed {
  const { diagnostics = [], failures = [] } = (error.details ?? {}) as Rejection
  const found = renderFindings({ file, diagnostics: findingsInFile(flow, diagnostics) })
  const failed = failures.flatMap((failure) => testLines({ ...failure, passed: false }, plain))
  const { message, exitCode, facts } = failureOf(error)
  const lines = [`${file}: ${message}`, ...found.split('\n').filter(Boolean), ...failed]
  return new CommandFailed(lines.join('\n'), exitCode, { cause: error, facts })
}

/** Details of FLOW_INVALID and FLOW_TESTS_FAILED. */
type Rejection = { diagnostics?: DefinitionDiagnostic[]; failures?: Omit<FlowTestResult, 'passed'>[] }

function sentenceOf({ name, result, version }: Omit<Pushed, 'file'>): string {
  if (result === 'created') return `Created "${name}".`
  return result === 'updated' ? `Updated "${name}", now at version ${version}.` : `"${name}" is unchanged.`
}
