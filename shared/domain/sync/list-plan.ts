import { initialValues, namesIn, pick } from '../fields/values.ts'
import { type List, type ListSettings, listFields } from '../list/fields.ts'
import { listWarnings } from '../list/warnings.ts'
import {
  type Change,
  type ChangeError,
  changeAction,
  changedValues,
  changeError,
  fieldChanges,
  isAsStated,
  scopeConflict,
  settingsAfter,
} from './change.ts'
import { type IndexDeletion, planIndexDeletion, undeclaredIndexes } from './deletions.ts'
import type { ListEntry } from './document/document.ts'
import { type PlannedIndex, planIndexes } from './index-plan.ts'
import type { CurrentList, SyncContext } from './state.ts'

/** The plan for one declared list. */
export type PlannedList = {
  change: Change
  /** Null: the list is new, or not visible to the principal. */
  current: List | null
  after: ListSettings
  indexes: PlannedIndex[]
  deletedIndexes: IndexDeletion[]
  /** Whether the list has guard indexes, declared here or not. */
  guarded: boolean
}

/** Plans one entry of the document against the existing list with its path name, if any. */
export function planList(entry: ListEntry, existing: CurrentList | null, context: SyncContext): PlannedList {
  if (existing && !existing.list.activated && !context.seesDeactivated) {
    return planVisible(entry, null, { ...context, errors: [changeError('LIST_PATH_NAME_TAKEN', hidden)] })
  }
  const conflict = scopeConflict(existing?.list.scope ?? null, context.scope, `list ${entry.pathName}`)
  return planVisible(entry, existing, { ...context, errors: conflict ? [conflict] : [] })
}

const hidden = 'Another list, which is not activated, has this path name.'

/** @param context.errors the errors that prevent all changes of the list */
function planVisible(
  entry: ListEntry,
  existing: CurrentList | null,
  context: SyncContext & { errors: ChangeError[] },
): PlannedList {
  const { scope, errors } = context
  const current = existing?.list ?? null
  const { before, after } = plannedSettings(entry, current, scope)
  const pathName = current?.pathName ?? entry.pathName
  const locked = before.readonly && after.readonly
  const list = { pathName, current, locked, errors, scope }
  const indexes = existing?.indexes ?? []
  const undeclared = errors.length > 0 ? [] : undeclaredIndexes(entry, indexes, context)
  return {
    change: listChange(list, before, after),
    current,
    after,
    indexes: planIndexes(
      entry.indexes ?? [],
      indexes.filter((index) => !undeclared.includes(index)),
      list,
    ),
    deletedIndexes: undeclared.map((index) => planIndexDeletion(index, list)),
    guarded: indexes.some(({ guard }) => guard),
  }
}

type Draft = { pathName: string; current: List | null; locked: boolean; errors: ChangeError[] }

function listChange(
  { pathName, current, locked, errors: conflicts }: Draft,
  before: ListSettings,
  after: ListSettings,
): Change {
  const fields = current ? fieldChanges(before, after) : {}
  const action = current ? changeAction(before, after, fields) : 'create'
  const locking = locked && action !== 'no-change' ? [changeError('LIST_READONLY')] : []
  const errors = conflicts.length > 0 ? conflicts : locking
  const warnings = errors.length > 0 ? [] : listWarnings(changedValues(before, after))
  return {
    resourceType: 'list',
    list: pathName,
    ...(current && { listId: current.id }),
    action: errors.length > 0 ? 'error' : action,
    ...(errors.length > 0 ? { errors } : Object.keys(fields).length > 0 && { fields }),
    ...(warnings.length > 0 && { warnings }),
  }
}

/** The fields that a document may set, and the scope, which comes from the document as a whole. */
const settings = ['scope', ...namesIn(listFields, 'sync')] as const
const initial = initialValues(listFields)

/** The settings before and after the sync; if they do not change, both are the list itself. */
function plannedSettings(
  { pathName, fields }: ListEntry,
  current: List | null,
  scope: string | null,
): Record<'before' | 'after', ListSettings> {
  if (current && isAsStated(current, fields, scope)) return { before: current, after: current }
  const before = listSettings(current ?? { ...initial, name: pathName })
  return { before, after: settingsAfter(before, fields, scope) }
}

/** The settings of a list that a document may state, with its scope. */
export function listSettings(list: ListSettings): ListSettings {
  return pick(list, settings)
}
