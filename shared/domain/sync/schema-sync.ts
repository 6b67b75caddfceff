import { byKey } from '#shared/json/by-key.ts'
import { pathNameKey } from '../path-name.ts'
import { type Change, type ChangeError, changeError } from './change.ts'
import { type ListDeletion, planListDeletion } from './deletions.ts'
import type { SyncDocument } from './document/document.ts'
import { type PlannedList, planList } from './list-plan.ts'
import type { CurrentList, SyncContext } from './state.ts'

export type SyncSummary = {
  create: number
  update: number
  adopt: number
  delete: number
  noChange: number
  error: number
  /** Indexes to be built over stored items. */
  builds: number
  destructive: number
}

/** Changes of lists that are written together. */
export type SyncPlan = {
  lists: PlannedList[]
  deletedLists: ListDeletion[]
  /** Each list followed by its indexes, in the order of the request, then the lists that are deleted. */
  changes: Change[]
}

/** All changes of a document to the current lists, and what prevents them. */
export type Plan = SyncPlan & {
  scope: string | null
  summary: SyncSummary
  /** Null: it may be applied. */
  blockedBy: ChangeError | null
}

/**
 * `allowRebuild`: indexes with values may be rebuilt with another pointer or value type; `allowDestructive`: items may be deleted with
 * their list, and guarded values may become visible.
 */
export type PlanOptions = Omit<SyncContext, 'scope'> & Allowances
type Allowances = { allowRebuild: boolean; allowDestructive: boolean }

/**
 * Plans a document against the current lists: every rule of contract 2.4, without effects. It takes long for many lists, so it
 * yields after each.
 * @param current by path key, with all their indexes: at least the lists that the document names, and with `prune` those that
 *   its scope manages
 */
export function* planSync(
  document: SyncDocument,
  current: ReadonlyMap<string, CurrentList>,
  options: PlanOptions,
): Generator<undefined, Plan> {
  const context = { ...options, scope: document.scope }
  const lists: PlannedList[] = []
  for (const entry of document.lists) {
    lists.push(planList(entry, current.get(pathNameKey(entry.pathName)) ?? null, context))
    yield
  }
  const deletedLists = undeclaredLists(document, current, context).map(planListDeletion)
  const changes = [...lists.flatMap(changesOf), ...deletedLists.map(({ change }) => change)]
  const summary = summaryOf(lists, changes)
  const blocking = blockedBy(changes, summary, options)
  return { scope: document.scope, lists, deletedLists, changes, summary, blockedBy: blocking }
}

/** In the order of their path names. Lists that the principal does not see stay. */
function undeclaredLists(
  document: SyncDocument,
  current: ReadonlyMap<string, CurrentList>,
  { scope, prune, seesDeactivated }: SyncContext,
): CurrentList[] {
  if (!prune || scope === null) return []
  const declared = new Set(document.lists.map(({ pathName }) => pathNameKey(pathName)))
  return [...current]
    .filter(([key, { list }]) => !declared.has(key) && list.scope === scope && (list.activated || seesDeactivated))
    .sort(byKey)
    .map(([, found]) => found)
}

function changesOf({ change, indexes, deletedIndexes }: PlannedList): Change[] {
  return [change, ...indexes.map((index) => index.change), ...deletedIndexes.map((index) => index.change)]
}

function summaryOf(lists: readonly PlannedList[], changes: readonly Change[]): SyncSummary {
  const summary = { create: 0, update: 0, adopt: 0, delete: 0, noChange: 0, error: 0, builds: 0, destructive: 0 }
  for (const { action, build, delete: deletion } of changes) {
    summary[action === 'no-change' ? 'noChange' : action]++
    if (build) summary.builds++
    if (deletion?.destructive) summary.destructive++
  }
  for (const { indexes } of lists) for (const { destructive } of indexes) if (destructive) summary.destructive++
  return summary
}

/** The first reason that blocks the plan: errors first, then rebuilds, then destruction. */
function blockedBy(
  changes: readonly Change[],
  summary: SyncSummary,
  { allowRebuild, allowDestructive }: Allowances,
): ChangeError | null {
  if (summary.error > 0) {
    const errors = changes.flatMap((change) => change.errors ?? [])
    const onlyConflicts = errors.every(({ name }) => name === 'SCHEMA_SYNC_SCOPE_CONFLICT')
    return changeError(onlyConflicts ? 'SCHEMA_SYNC_SCOPE_CONFLICT' : 'SCHEMA_SYNC_PLAN_HAS_ERRORS')
  }
  if (!allowRebuild && changes.some(({ build }) => build?.requiresConfirmation)) {
    return changeError('SCHEMA_SYNC_REBUILD_NOT_ALLOWED')
  }
  return !allowDestructive && summary.destructive > 0 ? changeError('SCHEMA_SYNC_DESTRUCTIVE_NOT_ALLOWED') : null
}

/**
 * The text that `planHash` hashes, in parts. Plans with the same effects on the same lists and the same required consents have the same
 * text. Warnings, messages and counts of items are omitted, because items change without changing the plan. Only the items of deleted lists
 * are counted, so that no more are deleted than were shown.
 */
export function* planText({ scope, lists, deletedLists }: Plan): Generator<string, void> {
  let separator = `[${JSON.stringify(scope)},[`
  for (const list of lists) {
    const lines = [list, ...list.indexes].map(({ change, after }) => changeLine(change, after))
    yield separator + lines.join(',')
    separator = ','
  }
  for (const deletions of [...lists.map(({ deletedIndexes }) => deletedIndexes), deletedLists]) {
    if (deletions.length === 0) continue
    yield separator + deletions.map(({ change }) => changeLine(change)).join(',')
    separator = ','
  }
  yield separator === ',' ? ']]' : `${separator}]]`
}

/** A change as JSON. Most lines are about unchanged lists and indexes: they have only names and ids, which need no escapes. */
function changeLine(change: Change, after?: object): string {
  const { resourceType, list, index, listId, indexId, action, fields, errors, build } = change
  if (action === 'no-change') {
    const [name, id] = index === undefined ? ['null', 'null'] : [`"${index}"`, `"${indexId}"`]
    return `["${resourceType}","${list}",${name},"${listId}",${id},"no-change",null,null,[false,false]]`
  }
  const content = action === 'create' ? after : fields
  const { destructive = false, items = 0 } = change.delete ?? {}
  const allowances = [build?.requiresConfirmation === true, destructive]
  const names = errors?.map(({ name }) => name)
  const line = [resourceType, list, index, listId, indexId, action, content, names, allowances]
  return JSON.stringify(items > 0 ? [...line, items] : line)
}
