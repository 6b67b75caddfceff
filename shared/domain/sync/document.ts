import { isObject } from '#shared/json/is-object.ts'
import type { FieldError } from '../../errors.ts'
import { maxSyncEntries } from '../limits.ts'
import type { ListSettings } from '../list/fields.ts'
import type { IndexSettings } from '../list/index-fields.ts'
import { isPathName, pathNameKey } from '../list/path-name.ts'
import { foldTags } from '../tags.ts'
import { documentRules, indexRules, keySchema, listRules, type PropertyRules } from './fields.ts'

export type IndexEntry = {
  /** Lower-case, as index path names are stored. */
  pathName: string
  fields: Partial<Omit<IndexSettings, 'scope'>>
}

export type ListEntry = {
  pathName: string
  /** Only what the document states; tags folded, `schema` as source text. */
  fields: Partial<Omit<ListSettings, 'scope'>>
  /** Null: the entry says nothing of indexes, so that a sync that prunes keeps them. */
  indexes: IndexEntry[] | null
}

/** A document that matches the format, ready to be planned. */
export type SyncDocument = { scope: string | null; lists: ListEntry[] }

/**
 * Every error of a parsed document by the format (specification, Sync document; contract 2.4). The schemas of lists only
 * have to be objects: `checkSchema` validates their text.
 */
export function syncDocumentErrors(document: unknown): FieldError[] {
  if (!isObject(document)) return [{ path: '', message: 'must be an object' }]
  const errors = propertyErrors(document, documentRules, '')
  if (!Object.hasOwn(document, 'lists')) return [...errors, { path: 'lists', message: 'is required' }]
  if (!isObject(document.lists)) return errors
  if (countEntries(document.lists) > maxSyncEntries) {
    return [...errors, { path: 'lists', message: `must declare at most ${maxSyncEntries} lists and indexes together` }]
  }
  return [...errors, ...entryErrors(document.lists, 'lists', listEntryErrors)]
}

function listEntryErrors(entry: Record<string, unknown>, path: string): FieldError[] {
  const errors = propertyErrors(entry, listRules, path)
  if (!isObject(entry.indexes)) return errors
  const indexErrors = entryErrors(entry.indexes, `${path}.indexes`, (index, indexPath) =>
    propertyErrors(index, indexRules, indexPath),
  )
  return [...errors, ...indexErrors]
}

/** The errors of an object keyed by path name: of its keys, and of its entries. */
function entryErrors(
  entries: Record<string, unknown>,
  path: string,
  errorsOf: (entry: Record<string, unknown>, path: string) => FieldError[],
): FieldError[] {
  const keys = new Map<string, string>()
  return Object.entries(entries).flatMap(([key, entry]) => {
    const entryPath = `${path}.${key}`
    const errors = keyErrors(key, entryPath, keys)
    if (!isObject(entry)) return [...errors, { path: entryPath, message: 'must be an object' }]
    return [...errors, ...errorsOf(entry, entryPath)]
  })
}

function keyErrors(key: string, path: string, keys: Map<string, string>): FieldError[] {
  const folded = pathNameKey(key)
  const twin = keys.get(folded)
  keys.set(folded, key)
  const errors: FieldError[] = []
  if (!isPathName(key)) errors.push({ path, message: invalidKey })
  if (twin !== undefined) errors.push({ path, message: `is the same path name as ${twin}: case does not count` })
  return errors
}

const invalidKey = `has a key that is not a path name: 1 to ${keySchema.maxLength} letters, digits, hyphens or underscores`

/** The errors of the properties of one object; own properties only, so that `constructor` is unknown like any other. */
function propertyErrors(value: Record<string, unknown>, rules: PropertyRules, path: string): FieldError[] {
  return Object.entries(value).flatMap(([name, property]) => {
    const propertyPath = path === '' ? name : `${path}.${name}`
    const rule = Object.hasOwn(rules, name) ? rules[name] : undefined
    return rule ? rule.errors(property, propertyPath) : [{ path: propertyPath, message: 'is not allowed' }]
  })
}

function countEntries(lists: Record<string, unknown>): number {
  const entries = Object.values(lists)
  const indexes = entries.map((entry) =>
    isObject(entry) && isObject(entry.indexes) ? Object.keys(entry.indexes).length : 0,
  )
  return indexes.reduce((sum, count) => sum + count, entries.length)
}

/**
 * The document as values of the domain; it must have no `syncDocumentErrors`.
 * @param schemaTexts source text of the lists' schemas, by the list's key; null and absent schemas need none
 */
export function readSyncDocument(document: unknown, schemaTexts: ReadonlyMap<string, string>): SyncDocument {
  const { scope = null, lists } = document as { scope?: string; lists: Record<string, RawListEntry> }
  return {
    scope,
    lists: Object.entries(lists).map(([pathName, { indexes, schema, ...fields }]) => ({
      pathName,
      fields: { ...foldedTags(fields), ...(schema !== undefined && { schema: schemaTexts.get(pathName) ?? null }) },
      indexes: indexes === undefined ? null : Object.entries(indexes).map(readIndexEntry),
    })),
  }
}

function readIndexEntry([key, entry]: [string, IndexEntry['fields']]): IndexEntry {
  return { pathName: pathNameKey(key), fields: foldedTags(entry) }
}

type RawListEntry = Omit<ListEntry['fields'], 'schema'> & {
  schema?: Record<string, unknown> | null
  indexes?: Record<string, IndexEntry['fields']>
}

function foldedTags<T extends { tags?: string[] }>(fields: T): T {
  return fields.tags === undefined ? fields : { ...fields, tags: foldTags(fields.tags) }
}
