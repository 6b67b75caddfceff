import { reportOf } from '#client/src/calls/sync.ts'
import { hasChanges } from '#shared/domain/sync/plan-words.ts'
import { CommandFailed } from '../../terminal/command-failed.ts'
import { confirm } from '../../terminal/confirm.ts'
import { formatJson } from '../../terminal/listing.ts'
import type { Terminal } from '../../terminal/terminal.ts'
import { withExplainedErrors } from '../answer-failure.ts'
import { connect } from '../connection.ts'
import { createPaint } from '../paint.ts'
import { renderMove } from './render-move.ts'

export type MoveOptions = { to?: string; release?: true; from?: string; dryRun?: true; yes?: true; json?: true }

/**
 * `listd schema move`: moves lists, or all lists of a scope, to another scope or to none.
 * @throws CommandFailed when the move is blocked, also with `--dry-run`, and without confirmation
 */
export async function moveCommand(terminal: Terminal, names: readonly string[], options: MoveOptions): Promise<void> {
  const { json, dryRun, yes } = options
  const body = bodyOf(names, options)
  await withExplainedErrors(async () => {
    const { sync } = connect(terminal)
    const plan = await reportOf(sync.move(body, { dryRun: true }))
    const output = json ? terminal.stderr : terminal.stdout
    if (!json || !dryRun) output.write(renderMove(plan, createPaint(terminal, output)))
    if (json && (dryRun || plan.blockedBy)) terminal.stdout.write(formatJson(plan))
    if (plan.blockedBy) throw new CommandFailed(plan.blockedBy.message, 1)
    if (dryRun) return
    const isToMove = hasChanges(plan)
    if (isToMove && !yes) await confirm(terminal, 'Move them?', 'yes')
    const report = isToMove ? await sync.move(body) : plan
    if (json) terminal.stdout.write(formatJson(report))
    else if (report.applied) terminal.stderr.write('Moved.\n')
  })
}

/** @throws Error for options that do not define what to move, and where to */
function bodyOf(names: readonly string[], { to, release, from }: MoveOptions) {
  if ((to === undefined) === (release === undefined))
    throw new Error('specify the new scope with --to, or use --release.')
  if ((from === undefined) === (names.length === 0)) throw new Error('specify lists, or use --from with a scope.')
  const scope = to ?? null
  return from === undefined ? { lists: [...names], scope } : { fromScope: from, scope }
}
