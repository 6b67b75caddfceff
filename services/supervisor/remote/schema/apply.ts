import type { Client } from '#client/src/main.ts'
import { destruction, hasChanges } from '#shared/domain/sync/plan-words.ts'
import { confirm } from '../../terminal/confirm.ts'
import { formatJson } from '../../terminal/listing.ts'
import type { Terminal } from '../../terminal/terminal.ts'
import { withExplainedErrors } from '../answer-failure.ts'
import { connect } from '../connection.ts'
import { type FlagOptions, flagsOf, planSync, showPlan } from './plan.ts'
import { readSyncInput, type SyncInput } from './saved-plan.ts'
import { type PlannedSync, throwIfBlocked } from './sync-report.ts'
import { throwIfFailed, waitForBuilds } from './wait-for-builds.ts'

export type ApplyOptions = FlagOptions & { yes?: true; json?: true }

/**
 * `listd schema apply`: shows the plan of a document or a saved plan, asks, applies exactly that plan, and waits until its
 * indexes are built. JSON is the report of what was applied, or the plan when nothing was.
 * @throws CommandFailed when nothing was applied, or a build has failed
 */
export async function applyCommand(terminal: Terminal, file: string, options: ApplyOptions): Promise<void> {
  const { yes, json } = options
  const input = await readSyncInput(file, flagsOf(options))
  await withExplainedErrors(async () => {
    const client = connect(terminal)
    const plan = await planSync(client, input)
    showPlan(terminal, json ? terminal.stderr : terminal.stdout, { report: plan, flags: input.flags })
    const isToApply = hasChanges(plan) && plan.blockedBy === null
    if (isToApply && !yes) await ask(terminal, plan)
    const report = isToApply ? await apply(terminal, client, { input, plan }) : plan
    if (json) terminal.stdout.write(formatJson(report))
    throwIfBlocked(report, input.flags)
    throwIfFailed(await waitForBuilds(terminal, client, startedBuilds(report)))
  })
}

function ask(terminal: Terminal, plan: PlannedSync): Promise<void> {
  const { sentence, typed } = destruction(plan) ?? { sentence: 'Apply these changes?', typed: 'yes' }
  return confirm(terminal, sentence, typed)
}

async function apply(
  { stderr }: Terminal,
  client: Client,
  { input, plan }: { input: SyncInput; plan: PlannedSync },
): Promise<PlannedSync> {
  const report = await client.sync.apply(input.document, { ...input.flags, planHash: plan.planHash })
  stderr.write('Applied.\n')
  return report
}

function startedBuilds({ changes }: PlannedSync) {
  return changes.flatMap(({ list, index, build }) =>
    index !== undefined && build?.buildStatus === 'building' ? [{ list, index }] : [],
  )
}
