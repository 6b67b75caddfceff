import type { List } from '#shared/domain/list/fields.ts'
import type { ListIndex } from '#shared/domain/list/index-fields.ts'
import { pathNameKey } from '#shared/domain/path-name.ts'
import type { Change } from '#shared/domain/sync/change.ts'
import { readSyncDocument, type SyncDocument, syncDocumentErrors } from '#shared/domain/sync/document/document.ts'
import { type Plan, type PlanOptions, planSync, planText } from '#shared/domain/sync/schema-sync.ts'
import type { CurrentList } from '#shared/domain/sync/state.ts'
import { type SyncWrites, syncWrites } from '#shared/domain/sync/writes.ts'
import { resultOf } from '#shared/json/text/result-of.ts'

/** A document as a client writes it, read like a request. */
export function syncDocument(source: { scope?: string; lists: Record<string, unknown> }): SyncDocument {
  const errors = syncDocumentErrors(source)
  if (errors.length > 0) throw new Error(`a bad document: ${JSON.stringify(errors)}`)
  const entries = Object.entries(source.lists) as [string, { schema?: unknown }][]
  const schemas = entries.filter(([, { schema }]) => schema)
  return readSyncDocument(source, new Map(schemas.map(([key, { schema }]) => [key, JSON.stringify(schema)])))
}

type Source = Parameters<typeof syncDocument>[0]

/** Allows nothing, and sees every list. */
export const cautious: PlanOptions = {
  seesDeactivated: true,
  prune: false,
  allowRebuild: false,
  allowDestructive: false,
}

/** The whole text of a plan. */
export const textOf = (plan: Plan): string => [...planText(plan)].join('')

/** Lists that exist only in memory: plans are applied to them without a database. */
export function syncWorld() {
  const lists = new Map<string, CurrentList>()
  let ids = 0
  const newId = () => `id-${++ids}`

  function plan(source: Source, options: Partial<PlanOptions> = {}): Plan {
    return resultOf(planSync(syncDocument(source), lists, { ...cautious, ...options }))
  }

  /** Applies a document that nothing blocks. */
  function sync(
    source: Source,
    now = 1_000,
    options?: Partial<PlanOptions>,
  ): { writes: SyncWrites; changes: Change[] } {
    const planned = plan(source, options)
    if (planned.blockedBy) throw new Error(`blocked: ${JSON.stringify(planned.changes)}`)
    const result = resultOf(syncWrites(planned, { accountId: 'account', now, newId }))
    take(result.writes)
    return result
  }

  function take(writes: SyncWrites): void {
    for (const list of [...writes.newLists, ...writes.changedLists]) {
      const key = pathNameKey(list.pathName)
      lists.set(key, { list, indexes: lists.get(key)?.indexes ?? [] })
    }
    for (const { id } of writes.touchedLists) byId(id).list.configVersion++
    for (const { pathName } of writes.deletedLists) lists.delete(pathNameKey(pathName))
    for (const { id, listId } of writes.deletedIndexes) {
      const current = byId(listId)
      current.indexes = current.indexes.filter((index) => index.id !== id)
    }
    for (const index of [...writes.newIndexes, ...writes.changedIndexes]) {
      const current = byId(index.listId)
      current.indexes = [...current.indexes.filter(({ pathName }) => pathName !== index.pathName), index]
    }
  }

  function byId(id: string): CurrentList {
    const found = [...lists.values()].find(({ list }) => list.id === id)
    if (!found) throw new Error(`no list ${id}`)
    return found
  }

  function current(key: string): CurrentList {
    const found = lists.get(key)
    if (!found) throw new Error(`no list ${key}`)
    return found
  }

  const list = (key: string): List => current(key).list

  function index(key: string, pathName: string): ListIndex {
    const found = lists.get(key)?.indexes.find((candidate) => candidate.pathName === pathName)
    if (!found) throw new Error(`no index ${key}.${pathName}`)
    return found
  }

  /** As if changed by other means. */
  function change(key: string, fields: Partial<List>): void {
    Object.assign(list(key), fields)
  }

  return { lists, plan, sync, current, list, index, change }
}
