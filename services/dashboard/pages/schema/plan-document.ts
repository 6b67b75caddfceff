import { reportOf } from '#client/src/calls/sync.ts'
import { RawJson } from '#client/src/json.ts'
import type { SyncDocument } from '#client/src/types/sync-resources.ts'
import { client } from '../../api/client.ts'
import { toListdError } from '../../api/errors.ts'
import { changeErrors, type DocumentError, serviceErrors, syntaxErrorOf } from './document/document-errors.ts'
import type { PlannedSync, SyncDraft } from './sync-draft.ts'

/** The plan of a document, with the errors of single changes. `report` null: the document has errors and cannot be planned. */
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

/** Allow everything, so that only errors reject a plan. The page of the plan asks for the confirmations. */
const allAllowed = { allowRebuild: true, allowDestructive: true }

/** Applies exactly the plan that was shown. @throws ListdError SCHEMA_SYNC_PLAN_CHANGED when the plan would differ now */
export async function applyPlan(
  { text, prune }: SyncDraft,
  { planHash, ...allowed }: { planHash: string; allowRebuild: boolean; allowDestructive: boolean },
): Promise<PlannedSync> {
  return { ...(await client.sync.apply(documentOf(text), { prune, planHash, ...allowed })), blockedBy: null }
}

/** The document is sent as it is written. */
const documentOf = (text: string) => new RawJson(text) as unknown as SyncDocument
