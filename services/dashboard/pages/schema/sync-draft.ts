import { signal } from '@preact/signals'
import type { Planned } from '#client/src/calls/sync.ts'
import type { SyncReport } from '#client/src/types/sync-resources.ts'

export type PlannedSync = Planned<SyncReport>

/** The sync to perform: the text of a document, and whether lists and indexes that it no longer declares are deleted. */
export type SyncDraft = { text: string; prune: boolean }

/** The document that is being written. It stays while the user visits other pages, until the browser tab is closed. */
export const draft = signal<SyncDraft>({ text: '', prune: false })

/** The plan that is shown, its document, and its result. */
export type ShownPlan = SyncDraft & {
  report: PlannedSync
  /** The plan that was shown before the lists changed; null: there is none. */
  before: PlannedSync | null
  /** The report after the plan was applied; null: it was not applied yet. */
  applied: PlannedSync | null
}

export const shownPlan = signal<ShownPlan | null>(null)
