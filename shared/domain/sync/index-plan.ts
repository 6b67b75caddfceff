import { initialValues, namesIn, pick } from '../fields/values.ts'
import { maxIndexesPerList } from '../limits.ts'
import type { List } from '../list/fields.ts'
import { buildReason } from '../list/index-build.ts'
import { type IndexSettings, indexFields, type ListIndex } from '../list/index-fields.ts'
import { aliasViolation, type Violation, violations } from '../list/index-rules.ts'
import { indexWarnings } from '../list/warnings.ts'
import {
  type Change,
  type ChangeError,
  changeAction,
  changedValues,
  changeError,
  fieldChanges,
  type IndexBuildPlan,
  isAsStated,
  revealing,
  scopeConflict,
  settingsAfter,
} from './change.ts'
import type { IndexEntry } from './document/document.ts'

/** The plan for one declared index. */
export type PlannedIndex = {
  change: Change
  pathName: string
  /** Null: the index is new. */
  current: ListIndex | null
  after: IndexSettings
  /** Turns a guard off: values that were hidden become visible. */
  destructive: boolean
}

/** The properties of the list that affect its indexes. */
export type IndexedList = {
  pathName: string
  /** Null: the list is new. */
  current: List | null
  /** The list is read-only, and stays so with the document. */
  locked: boolean
  /** The errors that prevent all changes of the list. */
  errors: readonly ChangeError[]
  scope: string | null
}

/**
 * Plans the declared indexes of one list; others are left unchanged, but count in the rules for all indexes.
 * @param existing without those that the same sync deletes
 */
export function planIndexes(
  entries: readonly IndexEntry[],
  existing: readonly ListIndex[],
  planned: IndexedList,
): PlannedIndex[] {
  const byPathName = new Map(existing.map((index) => [index.pathName, index]))
  const drafts = entries.map((entry) => draftOf(entry, byPathName.get(entry.pathName) ?? null, planned.scope))
  const list = { ...planned, indexCount: existing.length + drafts.filter(({ current }) => current === null).length }
  let violated: ReadonlyMap<string, Violation[]> | undefined
  const violatedBy = (pathName: string) => {
    violated ??= violationsAfter(drafts, existing)
    return violated.get(pathName) ?? []
  }
  return drafts.map((draft) => plannedIndex(draft, list, violatedBy))
}

function violationsAfter(drafts: readonly Draft[], existing: readonly ListIndex[]): ReadonlyMap<string, Violation[]> {
  const declared = new Set(drafts.map(({ pathName }) => pathName))
  const others = existing.filter(({ pathName }) => !declared.has(pathName))
  return violations([...others, ...drafts.filter(({ lacksPointer }) => !lacksPointer).map(traitsOf)])
}

const traitsOf = ({ pathName, after }: Draft) => ({ pathName, ...after })

/** The rules that the indexes of the list would violate; computed only if something changes. */
type ViolatedBy = (pathName: string) => readonly Violation[]

/** With the number of indexes that the list will have. */
type CountedList = IndexedList & { indexCount: number }

type Draft = {
  pathName: string
  current: ListIndex | null
  before: IndexSettings
  after: IndexSettings
  lacksPointer: boolean
}

/** If the settings do not change, the index itself is used. */
function draftOf({ pathName, fields }: IndexEntry, current: ListIndex | null, scope: string | null): Draft {
  if (current && isAsStated(current, fields, scope)) {
    return { pathName, current, before: current, after: current, lacksPointer: false }
  }
  const before = indexSettings(current ?? { ...initial, name: pathName })
  const lacksPointer = current === null && fields.pointer === undefined
  return { pathName, current, before, after: settingsAfter(before, fields, scope), lacksPointer }
}

function plannedIndex(draft: Draft, list: CountedList, violatedBy: ViolatedBy): PlannedIndex {
  const { pathName, current, before, after } = draft
  if (current && before === after && list.errors.length === 0) return unchangedIndex(current, list)
  const fields = current ? fieldChanges(before, after) : {}
  const action = current ? changeAction(before, after, fields) : 'create'
  const errors = errorsOf(draft, list, action === 'no-change' ? null : violatedByChange(draft, violatedBy))
  const build = errors.length === 0 ? buildOf(draft, list) : null
  const destructive = errors.length === 0 && before.guard && !after.guard
  const reveals = destructive || (before.guard && build?.reason === 'pointerChanged')
  const warnings = [
    ...(reveals ? [revealing] : []),
    ...(errors.length === 0 ? indexWarnings(changedValues(before, after)) : []),
  ]
  const change: Change = {
    resourceType: 'index',
    list: list.pathName,
    index: pathName,
    ...(list.current && { listId: list.current.id }),
    ...(current && { indexId: current.id }),
    action: errors.length > 0 ? 'error' : action,
    ...(errors.length > 0 ? { errors } : Object.keys(fields).length > 0 && { fields }),
    ...(build && { build }),
    ...(warnings.length > 0 && { warnings }),
  }
  return { change, pathName, current, after, destructive }
}

/** Includes the rules that depend on the previous state of the index. */
function violatedByChange({ pathName, current, after }: Draft, violatedBy: ViolatedBy): readonly Violation[] {
  const ofAlias = current && aliasViolation(current, after)
  return ofAlias ? [...violatedBy(pathName), ofAlias] : violatedBy(pathName)
}

/** An unchanged index, as most are: reported without checks and builds. */
function unchangedIndex(current: ListIndex, { pathName: list }: IndexedList): PlannedIndex {
  const { id: indexId, listId, pathName } = current
  const change: Change = { resourceType: 'index', list, index: pathName, listId, indexId, action: 'no-change' }
  return { change, pathName, current, after: current, destructive: false }
}

/** The build for the items of the list; null: none. */
function buildOf({ current, before, after }: Draft, list: IndexedList): IndexBuildPlan | null {
  const items = list.current?.itemCount ?? 0
  const reason = buildReason(current && before, after)
  if (items === 0 || reason === null) return null
  return { reason, items, requiresConfirmation: reason === 'pointerChanged' || reason === 'valueTypeChanged' }
}

/** @param violated the rules that its change would violate; null: it does not change */
function errorsOf(draft: Draft, list: CountedList, violated: readonly Violation[] | null): ChangeError[] {
  if (list.errors.length > 0) return [...list.errors]
  const conflict = scopeConflict(draft.current?.scope ?? null, list.scope, `index ${draft.pathName}`)
  if (conflict) return [conflict]
  if (violated === null) return []
  const errors = violated.map(({ name, message }) => changeError(name, message))
  if (list.locked) errors.push(changeError('LIST_READONLY'))
  if (draft.lacksPointer) errors.push(changeError('VALIDATION_FAILED', 'A new index needs a pointer.'))
  if (draft.current === null && list.indexCount > maxIndexesPerList)
    errors.push(changeError('MAX_INDEXES_EXCEEDED', full))
  return errors
}

const full = `A list has at most ${maxIndexesPerList} indexes.`

/** The fields that a document may set, and the scope, which comes from the document as a whole. */
const settings = ['scope', ...namesIn(indexFields, 'sync')] as const
const initial = initialValues(indexFields)

/** The settings of an index that a document may state, with its scope. */
export function indexSettings(index: IndexSettings): IndexSettings {
  return pick(index, settings)
}
