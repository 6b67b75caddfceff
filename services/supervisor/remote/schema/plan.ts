import { reportOf } from '#client/src/calls/sync.ts'
import type { Client } from '#client/src/main.ts'
import { hasChanges } from '#shared/domain/sync/plan-words.ts'
import { CommandFailed, exitCodes } from '../../terminal/command-failed.ts'
import { formatJson } from '../../terminal/listing.ts'
import type { Terminal } from '../../terminal/terminal.ts'
import { withExplainedErrors } from '../answer-failure.ts'
import { connect } from '../connection.ts'
import { createPaint } from '../paint.ts'
import { renderPlan } from './render-plan.ts'
import { readSyncInput, type SyncInput, writeSavedPlan } from './saved-plan.ts'
import { type PlannedSync, type SyncFlags, throwIfBlocked } from './sync-report.ts'

export type FlagOptions = { prune?: true; allowRebuild?: true; allowDestructive?: true }

export type PlanOptions = FlagOptions & { json?: true; out?: string; exitCode?: true }

/**
 * `listd schema plan`: what a document would change; changes nothing.
 * @throws CommandFailed when the plan could not be applied
 */
export async function planCommand(terminal: Terminal, file: string, options: PlanOptions): Promise<void> {
  const input = await readSyncInput(file, flagsOf(options))
  const report = await withExplainedErrors(() => planSync(connect(terminal), input))
  if (options.json) terminal.stdout.write(formatJson(report))
  else showPlan(terminal, terminal.stdout, { report, flags: input.flags })
  throwIfBlocked(report, input.flags)
  if (options.out !== undefined) await writeSavedPlan(options.out, { ...input, planHash: report.planHash })
  if (options.exitCode && hasChanges(report)) terminal.exitCode = exitCodes.changesPending
}

export function flagsOf({ prune, allowRebuild, allowDestructive }: FlagOptions): SyncFlags {
  return {
    prune: prune === true,
    allowRebuild: allowRebuild === true,
    allowDestructive: allowDestructive === true,
  }
}

/** @throws CommandFailed when the plan is no longer the saved one */
export async function planSync(client: Client, { document, flags, planHash }: SyncInput): Promise<PlannedSync> {
  const report = await reportOf(client.sync.plan(document, flags))
  if (planHash === null || planHash === report.planHash) return report
  const sentence = 'The lists have changed since the plan was saved; create a new one and read it.'
  throw new CommandFailed(sentence, exitCodes.planChanged)
}

/** Prints the plan for people. */
export function showPlan(
  { env }: Terminal,
  output: Terminal['stdout'],
  { report, flags }: { report: PlannedSync; flags: SyncFlags },
): void {
  output.write(renderPlan(report, { flags, paint: createPaint({ env }, output) }))
}
