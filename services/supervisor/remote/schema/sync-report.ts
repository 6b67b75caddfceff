import type { MoveReport, Planned, SyncReport } from '#client/src/main.ts'
import { type Consent, neededConsents } from '#shared/domain/sync/plan-words.ts'
import { CommandFailed, exitCodes } from '../../terminal/command-failed.ts'
import { exitCodeFor } from '../answer-failure.ts'

export type PlannedSync = Planned<SyncReport>
export type PlannedMove = Planned<MoveReport>

/** What the caller allows in addition to what a sync does by default (contract 2.4). */
export type SyncFlags = { prune: boolean; allowRebuild: boolean; allowDestructive: boolean }

/** The options that a plan needs to be applied. */
export function missingConsent(report: PlannedSync, flags: SyncFlags): string[] {
  return withoutConsent(neededConsents(report), flags)
}

/** The needed options that are missing. */
export function withoutConsent(needed: readonly Consent[], flags: SyncFlags): string[] {
  return needed.flatMap((consent) => (flags[consent] ? [] : [options[consent]]))
}

const options = { allowRebuild: '--allow-rebuild', allowDestructive: '--allow-destructive' } as const

/** @throws CommandFailed when the plan cannot be applied as it is */
export function throwIfBlocked(report: PlannedSync, flags: SyncFlags): void {
  if (report.blockedBy === null) return
  const { name, message } = report.blockedBy
  const code = exitCodeFor({ name, status: 422 })
  const isConsent = code === exitCodes.rebuildNotAllowed || code === exitCodes.destructiveNotAllowed
  const advice = isConsent ? ` To allow it, add ${missingConsent(report, flags).join(' ')}.` : ''
  throw new CommandFailed(`${message}${advice}`, code)
}
