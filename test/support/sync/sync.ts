import { newId } from '#shared/crypto/ids.ts'
import type { Database, Queries } from '#shared/data/database.ts'
import { applyLockedSync, applySync, readSyncState } from '#shared/data/lists/schema-sync.ts'
import type { Actor } from '#shared/domain/actor.ts'
import type { SyncDocument } from '#shared/domain/sync/document/document.ts'
import { planSync } from '#shared/domain/sync/schema-sync.ts'
import { syncWrites } from '#shared/domain/sync/writes.ts'
import { resultOf } from '#shared/json/text/result-of.ts'
import { testId } from '../databases/contents/rows.ts'
import { syncDocument } from './sync-world.ts'

/** The actor of the syncs. */
export const actor: Actor = { authMode: 'token', tokenId: 'token-1', identityId: null }

/** An account without users. */
export async function makeBareAccount(db: Database): Promise<string> {
  const id = testId()
  await db.run(db.build('accounts').insert({ id, created_at: 0, updated_at: 0, name: id, plan: 'scale' }))
  return id
}

/** The lists that have these path keys, by path key. */
export const listsNow = (db: Queries, accountId: string, pathKeys: readonly string[]) =>
  readSyncState(db, { accountId, pathKeys, managedBy: null })

/** Plans a sync of a document against the current lists. */
export async function prepareSync(
  db: Database,
  accountId: string,
  document: SyncDocument,
  { now = 1_000, prune = false } = {},
) {
  const pathKeys = document.lists.map(({ pathName }) => pathName.toLowerCase())
  const current = await readSyncState(db, { accountId, pathKeys, managedBy: prune ? document.scope : null })
  const plan = resultOf(planSync(document, current, { ...everything, prune }))
  return { plan, ...resultOf(syncWrites(plan, { accountId, now, newId })) }
}

/** Plans and applies a sync. */
export async function sync(
  db: Database,
  accountId: string,
  source: Parameters<typeof syncDocument>[0],
  options?: { now?: number; prune?: boolean },
) {
  const prepared = await prepareSync(db, accountId, syncDocument(source), options)
  await applySync({ db, announce() {} }, prepared.writes, actor)
  return prepared
}

const everything = { seesDeactivated: true, allowRebuild: true, allowDestructive: true }

/** Plans and applies a sync while it locks its lists, as after a conflict. */
export async function lockedSync(db: Database, accountId: string, source: Parameters<typeof syncDocument>[0]) {
  const document = syncDocument(source)
  const lists = { accountId, pathKeys: document.lists.map(({ pathName }) => pathName.toLowerCase()), managedBy: null }
  await applyLockedSync({ db, announce() {} }, { ...lists, actor }, async (current) => {
    const plan = resultOf(planSync(document, current, { ...everything, prune: false }))
    return resultOf(syncWrites(plan, { accountId, now: 1_000, newId })).writes
  })
}

/** A document with a number of lists, each with a number of indexes. */
export const manyLists = (lists: number, indexes: number, direction: string) => ({
  scope: 'big',
  lists: Object.fromEntries(
    Array.from({ length: lists }, (_, n) => [
      `list-${n}`,
      {
        schema: { type: 'object' },
        indexes: Object.fromEntries(
          Array.from({ length: indexes }, (_, m) => [`i${m}`, { pointer: `/f${m}`, defaultOrderDirection: direction }]),
        ),
      },
    ]),
  ),
})

/** Lists of two documents that are too long for one. */
export const manyBytes: readonly Record<string, { schema: { description: string } }>[] = ['one', 'other'].map(
  (prefix) =>
    Object.fromEntries(
      Array.from({ length: 20 }, (_, n) => [`${prefix}-${n}`, { schema: { description: 'x'.repeat(250_000) } }]),
    ),
)
