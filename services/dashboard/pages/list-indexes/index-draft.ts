import type { Index, IndexFields } from '#client/src/types/resources.ts'
import { buildReason } from '#shared/domain/list/index-build.ts'
import { indexFields } from '#shared/domain/list/index-fields.ts'
import { pathNameFrom } from '#shared/domain/path-name.ts'
import { parseDate } from '#shared/domain/text/date.ts'
import { parsePointer } from '#shared/json/pointer.ts'

/** The roles of an index. */
export const roles = ['alias', 'sorting', 'filtering', 'searching', 'guard'] as const
export type Role = (typeof roles)[number]

const editable = [
  'name',
  'description',
  'pathName',
  'pointer',
  'valueType',
  'defaultOrderDirection',
  'activated',
  ...roles,
] as const

/** The fields of the form. */
export type IndexDraft = Pick<Index, (typeof editable)[number]>

export function newDraft(pointer: string): IndexDraft {
  const off = { alias: false, sorting: false, filtering: false, searching: false, guard: false }
  const { valueType, defaultOrderDirection, activated } = indexFields
  const settings = {
    valueType: valueType.initial,
    defaultOrderDirection: defaultOrderDirection.initial,
    activated: activated.initial,
  }
  return { ...off, ...settings, name: '', description: '', pathName: proposedPathName(pointer), pointer }
}

export function draftOf(index: Index): IndexDraft {
  return Object.fromEntries(editable.map((name) => [name, index[name]])) as IndexDraft
}

/** The fields to send: those that differ from the index, or from the defaults of a new index. */
export function changesOf(before: Index | null, draft: IndexDraft): IndexFields {
  const was = before ?? newDraft('')
  return Object.fromEntries(editable.flatMap((name) => (draft[name] === was[name] ? [] : [[name, draft[name]]])))
}

/** A path name from the last step of a pointer that is a name; empty: no step is a name. */
export function proposedPathName(pointer: string): string {
  const step = parsePointer(pointer)?.findLast((token) => !/^\d*$/.test(token))
  return pathNameFrom(step ?? '') ?? ''
}

/** The index type to propose for a value. */
export function proposedType(value: unknown): Index['valueType'] {
  if (typeof value === 'number') return 'number'
  return typeof value === 'string' && /^\d{4}-/.test(value) && parseDate(value) !== null ? 'date' : 'string'
}

/** Why a role cannot be combined with the others; null: it can. */
export function whyNotRole(role: Role, draft: IndexDraft, others: readonly Index[]): string | null {
  if (draft[role]) return null
  if (role !== 'guard' && draft.guard) return 'A guard index cannot have another role.'
  if (role === 'guard' && roles.some((other) => draft[other]))
    return 'A guard index cannot have another role. Turn the others off.'
  const alias = role === 'alias' ? others.find((index) => index.alias) : undefined
  return alias ? `A list can have one alias index. It is ${alias.pathName}.` : null
}

/** The effects of saving, in sentences. @param items number of items in the list */
export function consequences(before: Index | null, draft: IndexDraft, items: number): string[] {
  const said: string[] = []
  const reason = buildReason(before, draft)
  const number = items === 1 ? 'the stored item' : `the ${items.toLocaleString()} stored items`
  if (reason !== null && items > 0) {
    said.push(
      reason === 'created'
        ? `The values of ${number} are added in the background. Until then the index cannot be used.`
        : `${rebuildWords[reason]} builds the index again over ${number}. Until then it cannot be used.`,
    )
  }
  if (!before) return said
  const { pathName } = before
  if (draft.pathName !== pathName) said.push(`Requests that name the index ${pathName} are rejected.`)
  return [...said, ...losses(before, draft)]
}

const rebuildWords = {
  pointerChanged: 'Another pointer',
  valueTypeChanged: 'Another type',
  flagsChanged: 'A role that is turned on',
}

/** What stops working when roles are turned off; `after` null: when the index is deleted. */
export function losses(before: Index, after: Pick<IndexDraft, Role> | null): string[] {
  const isLost = (role: Role) => before[role] && after?.[role] !== true
  const { pathName, pointer } = before
  return [
    isLost('alias') ? 'Items can no longer be addressed by their value.' : '',
    isLost('sorting') ? `Requests that order by ${pathName} are rejected.` : '',
    isLost('filtering') ? `Requests that filter by ${pathName} are rejected.` : '',
    isLost('guard')
      ? `API tokens see the value at ${pointer || 'the whole of the data'}, which is now hidden from them.`
      : '',
  ].filter(Boolean)
}
