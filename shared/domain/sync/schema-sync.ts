import { pathNameKey } from '../list/path-name.ts'
import { type Change, type ChangeAction, type ChangeError, changeError } from './change.ts'
import type { SyncDocument } from './document.ts'
import { type CurrentList, type PlannedList, planList } from './list-plan.ts'

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

/** All that a document would do to the current lists, and what prevents it. */
export type Plan = {
  scope: string | null
  lists: PlannedList[]
  /** Each list followed by its indexes, in the order of the document. */
  changes: Change[]
  summary: SyncSummary
  /** Null: it may be applied. */
  blockedBy: ChangeError | null
}

/**
 * Plans a document against the current lists: every rule of contract 2.4, without effects.
 * @param current by path key: at least the lists that the document names, with all their indexes
 * @param options.seesDeactivated whether the principal sees lists that are not activated
 * @param options.allowRebuild whether indexes with values may be built again by another pointer or value type
 */
export function planSync(
  document: SyncDocument,
  current: ReadonlyMap<string, CurrentList>,
  options: { seesDeactivated: boolean; allowRebuild: boolean },
): Plan {
  const context = { scope: document.scope, seesDeactivated: options.seesDeactivated }
  const lists = document.lists.map((entry) =>
    planList(entry, current.get(pathNameKey(entry.pathName)) ?? null, context),
  )
  const changes = lists.flatMap(({ change, indexes }) => [change, ...indexes.map((index) => index.change)])
  const summary = summaryOf(lists, changes)
  return { scope: document.scope, lists, changes, summary, blockedBy: blockedBy(changes, summary, options) }
}

function summaryOf(lists: readonly PlannedList[], changes: readonly Change[]): SyncSummary {
  const counts = new Map<ChangeAction, number>()
  for (const { action } of changes) counts.set(action, (counts.get(action) ?? 0) + 1)
  const count = (action: ChangeAction) => counts.get(action) ?? 0
  return {
    create: count('create'),
    update: count('update'),
    adopt: count('adopt'),
    delete: 0, // undeclared lists and indexes stay
    noChange: count('no-change'),
    error: count('error'),
    builds: changes.filter(({ build }) => build).length,
    destructive: lists.flatMap(({ indexes }) => indexes).filter(({ destructive }) => destructive).length,
  }
}

/** The first reason not to apply the plan: errors come before rebuilds, and these before destruction. */
function blockedBy(
  changes: readonly Change[],
  summary: SyncSummary,
  { allowRebuild }: { allowRebuild: boolean },
): ChangeError | null {
  const errors = changes.flatMap((change) => change.errors ?? [])
  if (errors.length > 0) {
    const onlyConflicts = errors.every(({ name }) => name === 'SCHEMA_SYNC_SCOPE_CONFLICT')
    return changeError(onlyConflicts ? 'SCHEMA_SYNC_SCOPE_CONFLICT' : 'SCHEMA_SYNC_PLAN_HAS_ERRORS')
  }
  if (!allowRebuild && changes.some(({ build }) => build?.requiresConfirmation)) {
    return changeError('SCHEMA_SYNC_REBUILD_NOT_ALLOWED')
  }
  return summary.destructive > 0 ? changeError('SCHEMA_SYNC_DESTRUCTIVE_NOT_ALLOWED') : null
}

/**
 * The text that `planHash` is the hash of: two plans that do the same to the same lists have the same text. Warnings and
 * messages are left out, because they may count items, which come and go without changing the plan.
 */
export function planText({ scope, lists }: Plan): string {
  const lines = lists.flatMap((list) => [list, ...list.indexes].map(({ change, after }) => changeLine(change, after)))
  return JSON.stringify([scope, lines])
}

function changeLine(change: Change, after: object): unknown[] {
  const { resourceType, list, index, listId, indexId, action, fields, errors } = change
  const content = action === 'create' ? after : fields
  return [resourceType, list, index, listId, indexId, action, content, errors?.map(({ name }) => name)]
}
