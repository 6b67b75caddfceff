import { sameJson } from '#shared/json/compare/equality.ts'
import { parseExact } from '#shared/json/exact.ts'
import { AppError, type ErrorName } from '../../errors.ts'
import { pick } from '../fields/values.ts'
import type { BuildReason } from '../list/index-build.ts'
import type { BuildStatus } from '../list/index-fields.ts'
import { withScopeTag } from '../list/scope.ts'
import { sameTags } from '../tags.ts'

export const changeActions = ['create', 'update', 'adopt', 'delete', 'no-change', 'error'] as const
export type ChangeAction = (typeof changeActions)[number]

export type ChangeError = { name: ErrorName; code: number; message: string }

/** One line of a sync's report (contract 2.4). */
export type Change = {
  resourceType: 'list' | 'index'
  /** Path name of the list. */
  list: string
  /** Path name of the index. */
  index?: string
  /** Absent for a list that does not exist yet. */
  listId?: string
  indexId?: string
  action: ChangeAction
  fields?: FieldChanges
  /** Of an index on a list that has items. */
  build?: IndexBuildPlan
  delete?: Deletion
  /** Of a list whose schema changes; absent: its items were not checked. */
  mismatches?: Mismatches
  warnings?: string[]
  errors?: ChangeError[]
}

/** The build that a change of an index starts. `requiresConfirmation`: only with `allowRebuild`. */
export type IndexBuildPlan = {
  reason: BuildReason
  /** How many items the list has. */
  items: number
  requiresConfirmation: boolean
  /** The status of the index when the change has been applied. */
  buildStatus?: BuildStatus
}

/** What the deletion of a list also deletes; `destructive`: only with `allowDestructive`. */
type Deletion = { items?: number; indexes?: number; destructive: boolean }

/** Stored items that do not match a new schema. `complete`: all items were checked; `items`: some of the failing items, with some errors each. */
export type Mismatches = {
  failing: number
  checked: number
  complete: boolean
  items: { itemId: string; errors: { pointer: string; message: string }[] }[]
}

/** What an update or adoption changes, by field. */
type FieldChanges = { [field: string]: { from: unknown; to: unknown } }

/** An error as a value; without a message it has the default of its name. */
export function changeError(error: ErrorName, message?: string): ChangeError {
  const { name, code, message: sentence } = new AppError(error, message === undefined ? {} : { message })
  return { name, code, message: sentence }
}

/** The common fields of lists and indexes that need special rules in a sync. */
type Settings = { scope: string | null; tags: string[]; schema?: string | null | undefined }

/**
 * The settings after a document of `scope` states `stated`. An equal value in a different form keeps its current form, so that it is not a
 * change.
 */
export function settingsAfter<S extends Settings>(before: S, stated: Partial<NoInfer<S>>, scope: string | null): S {
  const tags = withScopeTag(stated.tags ?? before.tags, scope)
  const after: S = { ...before, ...stated, scope, tags }
  if (sameTags(withScopeTag(before.tags, before.scope), tags)) after.tags = before.tags
  if (sameSchema(before.schema, after.schema)) after.schema = before.schema
  return after
}

/** Whether nothing changes. Fast, because most of a document is usually unchanged. False for a schema that differs only in form. */
export function isAsStated<S extends Settings>(before: S, stated: Partial<S>, scope: string | null): boolean {
  if (before.scope !== scope) return false
  for (const name in stated) {
    if (before[name] === stated[name]) continue
    if (name !== 'tags' || !stated.tags || !sameTags(before.tags, withScopeTag(stated.tags, before.scope))) return false
  }
  return true
}

/** Every field in which the two differ, in the order of `before`. */
export function fieldChanges<S extends Settings>(before: S, after: S): FieldChanges {
  return Object.fromEntries(
    changedNames(before, after).map((name) => [
      name,
      { from: onWire(name, before[name]), to: onWire(name, after[name]) },
    ]),
  )
}

/** What a change sets: every value of `after` that differs. */
export function changedValues<S extends Settings>(before: S, after: S): Partial<Pick<S, keyof S & string>> {
  return pick(after, changedNames(before, after))
}

function changedNames<S extends Settings>(before: S, after: S): (keyof S & string)[] {
  if (before === after) return []
  return (Object.keys(before) as (keyof S & string)[]).filter((name) => before[name] !== after[name])
}

/** Whether an update would change anything, and if so whether it adopts a list or index that no scope managed. */
export function changeAction(
  before: Settings,
  after: Settings,
  fields: FieldChanges,
): 'update' | 'adopt' | 'no-change' {
  if (before.scope === null && after.scope !== null) return 'adopt'
  return Object.keys(fields).length > 0 ? 'update' : 'no-change'
}

/** The error for changing a list or index that another scope manages; null: the document's scope may change it. */
export function scopeConflict(managedBy: string | null, scope: string | null, what: string): ChangeError | null {
  if (managedBy === null || managedBy === scope) return null
  const document = scope === null ? 'a document without a scope' : `a document of the scope ${scope}`
  return changeError(
    'SCHEMA_SYNC_SCOPE_CONFLICT',
    `The ${what} is managed by the scope ${managedBy}; ${document} cannot change it.`,
  )
}

/** The warning for a change by which guarded values can be seen. */
export const revealing = 'Values that were hidden will be visible in ordinary responses.'

function sameSchema(before: string | null | undefined, after: string | null | undefined): boolean {
  return typeof before === 'string' && typeof after === 'string' && sameJson(before, after)
}

/** Schemas are stored as text and sent as JSON with all digits, so that different schemas look different and have different plans. */
function onWire(name: string, value: unknown): unknown {
  return name === 'schema' && typeof value === 'string' ? parseExact(value) : value
}
