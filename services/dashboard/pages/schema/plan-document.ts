import { reportOf } from '#client/src/calls/sync.ts'
import { RawJson } from '#client/src/json.ts'
import type { SyncDocument } from '#client/src/types/sync-resources.ts'
import { client } from '../../api/client.ts'
import { toListdError } from '../../api/errors.ts'
import { changeErrors, type DocumentError, serviceErrors, syntaxErrorOf } from './document/document-errors.ts'
import type { PlannedSync, SyncDraft } from './sync-draft.ts'

/** What a document comes to: its plan, with the errors of single changes; or only errors, which let nobody plan it. */
export type PlannedDocument = { report: PlannedSync | null; errors: DocumentError[]; pruneProblem: string | undefined }

/** Plans a document; changes nothing. @throws ListdError */
export async function planDocument({ text, prune }: SyncDraft, signal?: AbortSignal): Promise<PlannedDocument> {
  const syntax = syntaxErrorOf(text)
  if (syntax) return { report: null, errors: [syntax], pruneProblem: undefined }
  try {
    const report = await reportOf(client.sync.plan(documentOf(text), { prune, ...allAllowed, signal }))
    return { report, errors: changeErrors(text, report.changes), pruneProblem: undefined }
  } catch (failure) {
    const { name, details } = toListdError(failure)
    if (name !== 'VALIDATION_FAILED' || !details?.errors) throw failure
    const pruneProblem = details.errors.find(({ path }) => path === 'prune')?.message
    const errors = details.errors.filter(({ path }) => path !== 'prune')
    return { report: null, errors: serviceErrors(text, errors), pruneProblem }
  }
}

/** So that only errors reject a plan: consents are asked for where it is shown. */
const allAllowed = { allowRebuild: true, allowDestructive: true }

/** Applies the plan that was shown, and nothing else. @throws ListdError: SCHEMA_SYNC_PLAN_CHANGED for another plan */
export async function applyPlan(
  { text, prune }: SyncDraft,
  { planHash, ...allowed }: { planHash: string; allowRebuild: boolean; allowDestructive: boolean },
): Promise<PlannedSync> {
  return { ...(await client.sync.apply(documentOf(text), { prune, planHash, ...allowed })), blockedBy: null }
}

/** Sent as it is written. */
const documentOf = (text: string) => new RawJson(text) as unknown as SyncDocument
