import { createHash } from 'node:crypto'
import type { SyncDocument } from '#client/src/main.ts'
import { replaceFile } from '../../replace-file.ts'
import { formatJson } from '../../terminal/listing.ts'
import { readDocumentFile } from '../document-file.ts'
import type { SyncFlags } from './sync-report.ts'

/** A document with the options and the hash of its plan: `apply` does exactly this, or nothing. */
export type SavedPlan = { document: SyncDocument; flags: SyncFlags; planHash: string }

/** What a command syncs: a document with the flags of the command, or a saved plan with its own flags. */
export type SyncInput = Omit<SavedPlan, 'planHash'> & { planHash: string | null }

/** Writes the plan with a seal that reveals changes of the file. */
export async function writeSavedPlan(file: string, plan: SavedPlan): Promise<void> {
  const { document, flags, planHash } = plan
  const content = { listdPlan: version, planHash, ...flags, seal: sealOf(plan), document }
  await replaceFile(file, formatJson(content))
}

/**
 * @param flags of the command
 * @throws Error for a saved plan that was changed, or that is used with flags
 */
export async function readSyncInput(file: string, flags: SyncFlags): Promise<SyncInput> {
  const content = await readDocumentFile(file)
  if (!Object.hasOwn(content, 'listdPlan')) return { document: content, flags, planHash: null }
  if (Object.values(flags).includes(true)) {
    throw new Error(`${file} is a saved plan, which has its own options; create a new plan with those you want.`)
  }
  return openSavedPlan(file, content as unknown as Record<string, unknown>)
}

const version = 1

function openSavedPlan(file: string, content: Record<string, unknown>): SavedPlan {
  const { listdPlan, planHash, prune, allowRebuild, allowDestructive, seal, document } = content
  const plan = { document, planHash, flags: { prune, allowRebuild, allowDestructive } } as SavedPlan
  if (listdPlan !== version) throw new Error(`${file} is a plan of another version of listd; create a new one.`)
  if (seal !== sealOf(plan)) throw new Error(`${file} was changed since it was planned; create a new plan.`)
  return plan
}

/** A hash of everything that is applied; it ignores the indentation of the file. */
function sealOf({ document, planHash, flags }: SavedPlan): string {
  const { prune, allowRebuild, allowDestructive } = flags
  const sealed = JSON.stringify([version, planHash, prune, allowRebuild, allowDestructive, document])
  return createHash('sha256').update(sealed).digest('hex')
}
