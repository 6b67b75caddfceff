import { signal } from '@preact/signals'
import type { Planned } from '#client/src/calls/sync.ts'
import type { SyncReport } from '#client/src/types/sync-resources.ts'

export type PlannedSync = Planned<SyncReport>

/** What somebody wants to sync: the text of a document, and whether what it no longer declares is deleted. */
export type SyncDraft = { text: string; prune: boolean }

/** The document that is being written. It stays while other pages are looked at, and ends with the tab. */
export const draft = signal<SyncDraft>({ text: '', prune: false })

/** The plan that is shown, of what, and what has become of it. */
export type ShownPlan = SyncDraft & {
  report: PlannedSync
  /** The plan that was shown before, because the lists have changed since. */
  before: PlannedSync | null
  /** What was done; null: nothing yet. */
  applied: PlannedSync | null
}

export const shownPlan = signal<ShownPlan | null>(null)
