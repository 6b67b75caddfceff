import { ListdError, type MoveReport, type SyncReport } from '#client/src/main.ts'
import { isObject } from '#shared/json/is-object.ts'
import { CommandFailed, exitCodes } from '../command-failed.ts'
import { exitCodeFor } from './answer-failure.ts'

/** The report of a sync or move, also of one that is blocked. */
type Planned<Report> = Omit<Report, 'blockedBy'> & { blockedBy: BlockedBy | null }

export type PlannedSync = Planned<SyncReport>
export type PlannedMove = Planned<MoveReport>

type BlockedBy = { name: ListdError['name']; code: number; message: string }

/** What the caller allows beside what a sync does unasked (contract 2.4). */
export type SyncFlags = { prune: boolean; allowRebuild: boolean; allowDestructive: boolean }

/** A report, also that of a sync or move that is refused, which the client throws. @throws what has none */
export async function reportOf<R>(answer: Promise<R>): Promise<Planned<R>> {
  try {
    return { ...(await answer), blockedBy: null }
  } catch (error) {
    const body = error instanceof ListdError && error.status === 422 ? error.body : null
    if (isObject(body) && 'changes' in body) return body as never
    throw error
  }
}

/** The options without which a plan is not applied. */
export function missingConsent(
  { changes, summary }: PlannedSync,
  { allowRebuild, allowDestructive }: SyncFlags,
): string[] {
  const rebuilds = changes.some(({ build }) => build?.requiresConfirmation)
  return [
    ...(rebuilds && !allowRebuild ? ['--allow-rebuild'] : []),
    ...(summary.destructive > 0 && !allowDestructive ? ['--allow-destructive'] : []),
  ]
}

/** Whether to apply the plan would change anything. */
export function hasChanges({ changes }: PlannedSync | PlannedMove): boolean {
  return changes.some(({ action }) => action !== 'no-change')
}

/** How many items would be deleted with their lists. */
export function deletedItems({ changes }: PlannedSync): number {
  return changes.reduce((sum, { delete: deletion }) => sum + (deletion?.items ?? 0), 0)
}

/** @throws CommandFailed when the plan cannot be applied as it is */
export function throwIfBlocked(report: PlannedSync, flags: SyncFlags): void {
  if (report.blockedBy === null) return
  const { name, message } = report.blockedBy
  const code = exitCodeFor({ name, status: 422 })
  const isConsent = code === exitCodes.rebuildNotAllowed || code === exitCodes.destructiveNotAllowed
  const advice = isConsent ? ` If it is wanted, add ${missingConsent(report, flags).join(' ')}.` : ''
  throw new CommandFailed(`${message}${advice}`, code)
}
