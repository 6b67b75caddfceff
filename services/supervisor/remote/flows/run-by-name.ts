import { type FlowRunWithSteps, RawJson } from '#client/src/main.ts'
import { maxJsonDepth } from '#shared/domain/limits.ts'
import { findSyntaxError } from '#shared/json/text/syntax-error.ts'
import type { Terminal } from '../../terminal/terminal.ts'
import { readTextFile } from '../document-file.ts'
import { type ProfileOptions, type SignedInUser, withProfile } from '../sessions/with-profile.ts'
import { showRun } from './one-run.ts'

export type RepeatOptions = ProfileOptions & { identity?: string; json?: true }
export type RunOptions = RepeatOptions & { input?: string; dryRun?: true }

/**
 * `listd flows run`: runs a flow, activated or not, and shows the run.
 * @throws Error when the run failed or was rejected
 */
export async function runFlowCommand(terminal: Terminal, flow: string, options: RunOptions): Promise<void> {
  const input = options.input === undefined ? {} : { input: await readInput(options.input) }
  const dryRun = options.dryRun === true
  const run = await withProfile(terminal, options, async (user) =>
    user.flowRuns.run(flow, { ...input, ...(await callerOf(user, options)), dryRun }),
  )
  showEnded(terminal, run, { ...options, dryRun })
}

/**
 * `listd flows repeat`: runs the current version of a flow with the input and the seed of a run, and shows the new run.
 * @throws Error when the run failed or was rejected
 */
export async function repeatRunCommand(terminal: Terminal, run: string, options: RepeatOptions): Promise<void> {
  const repeated = await withProfile(terminal, options, async (user) =>
    user.flowRuns.repeat(run, await callerOf(user, options)),
  )
  showEnded(terminal, repeated, options)
}

function showEnded(
  terminal: Terminal,
  run: FlowRunWithSteps,
  { json, dryRun }: { json?: true; dryRun?: boolean },
): void {
  showRun(terminal, run, { json, ...(dryRun !== undefined && { dryRun }) })
  if (run.status !== 'succeeded') throw new Error(`the run ${run.status === 'failed' ? 'failed' : 'was rejected'}.`)
}

/** The identity of an option, by its id or `group/name`. */
async function callerOf({ client }: SignedInUser, { identity }: RepeatOptions): Promise<{ identityId?: string }> {
  return identity === undefined ? {} : { identityId: (await client.identities.get(identity)).id }
}

/**
 * @param given JSON, or the name of a file that holds it
 * @throws Error with the position of a syntax error
 */
async function readInput(given: string): Promise<RawJson> {
  const isJson = findSyntaxError(given, maxJsonDepth) === null || /^\s*[{["]/.test(given)
  const text = isJson ? given : await readTextFile(given)
  const found = findSyntaxError(text, maxJsonDepth)
  if (found === null) return new RawJson(text)
  throw new Error(`${isJson ? '--input' : given} is not valid JSON: ${found.why}, at character ${found.offset + 1}.`)
}
