import { namesIn, pick, serializer } from '../fields/values.ts'
import { listFields } from '../list/fields.ts'
import { indexFields, type ListIndex } from '../list/index-fields.ts'
import { ownTags } from '../list/scope.ts'
import { byPathName, type CurrentList } from './state.ts'

/** One list of an exported document. */
export type ExportedList = {
  /** The member of `lists` as JSON text: every field that a document may set, and the indexes of the same scope. */
  member: string
  /** Path names of the indexes that a document of this scope cannot state without changing them. */
  leftOut: string[]
}

/** A list as an entry of a document, so that a sync of the document changes nothing (contract 2.4). The text is deterministic. */
export function exportList({ list, ...current }: CurrentList): ExportedList {
  const indexes = byPathName(current.indexes)
  const stated = indexes.filter(({ scope }) => scope === list.scope)
  const fields = listEntry({ ...list, tags: ownTags(list.tags, list.scope) })
  const members = stated.map((index) => `${JSON.stringify(index.pathName)}:${exportIndex(index)}`)
  return {
    member: `${JSON.stringify(list.pathName)}:${fields.slice(0, -1)},"indexes":{${members.join(',')}}}`,
    leftOut: indexes.filter(({ scope }) => scope !== list.scope).map(({ pathName }) => pathName),
  }
}

function exportIndex(index: ListIndex): string {
  return indexEntry({ ...index, tags: ownTags(index.tags, index.scope) })
}

const listEntry = serializer(pick(listFields, namesIn(listFields, 'sync')))
const indexEntry = serializer(pick(indexFields, namesIn(indexFields, 'sync')))

/** @param members of `lists`, as JSON text */
export function exportDocument(scope: string | null, members: readonly string[]): string {
  const named = scope === null ? '' : `"scope":${JSON.stringify(scope)},`
  return `{${named}"lists":{${members.join(',')}}}`
}
