import { errorPath, type FieldError } from '#shared/errors.ts'
import { isObject } from '#shared/json/is-object.ts'
import { resultOf } from '#shared/json/text/result-of.ts'
import { maxErrors, maxIndexesPerList, maxSyncLists } from '../../limits.ts'
import type { ListSettings } from '../../list/fields.ts'
import type { IndexSettings } from '../../list/index-fields.ts'
import { isPathName, pathNameKey } from '../../path-name.ts'
import { foldTags } from '../../tags.ts'
import { didYouMean, maxHints } from '../../text/nearest.ts'
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
  /** Null: the entry has no `indexes`, so a sync with `prune` keeps them. */
  indexes: IndexEntry[] | null
}

/** A document that matches the format, ready to be planned. */
export type SyncDocument = { scope: string | null; lists: ListEntry[] }

/**
 * The errors of a parsed document by the format (specification, Sync document; contract 2.4), at most the first `maxErrors`. The
 * schemas of lists only have to be objects: `checkSchema` validates their text.
 */
export function syncDocumentErrors(document: unknown): FieldError[] {
  return resultOf(syncDocumentErrorsInSteps(document))
}

/** The same; it yields after each list. */
export function* syncDocumentErrorsInSteps(document: unknown): Generator<undefined, FieldError[]> {
  if (!isObject(document)) return [{ path: '', message: 'must be an object' }]
  const errors: FieldError[] = []
  addPropertyErrors(errors, { value: document, rules: documentRules, path: '' })
  if (!Object.hasOwn(document, 'lists')) errors.push({ path: 'lists', message: 'is required' })
  else if (isObject(document.lists)) yield* addListErrors(errors, document.lists)
  return errors.slice(0, maxErrors)
}

/** The error of an object keyed by path name that has too many entries. */
export function tooManyEntries(path: string, max: number): FieldError {
  return { path, message: `must have at most ${max} entries` }
}

function* addListErrors(errors: FieldError[], lists: Record<string, unknown>): Generator<undefined> {
  for (const [path, list] of validEntries(errors, { entries: lists, path: 'lists', max: maxSyncLists })) {
    addPropertyErrors(errors, { value: list, rules: listRules, path })
    const indexes = { entries: list.indexes, path: `${path}.indexes`, max: maxIndexesPerList }
    for (const [indexPath, index] of validEntries(errors, indexes))
      addPropertyErrors(errors, { value: index, rules: indexRules, path: indexPath })
    yield
  }
}

/**
 * The entries of an object keyed by path name, with their paths; it adds the errors of the keys, and of entries that are not objects.
 * Ends when there are enough errors.
 */
function* validEntries(
  errors: FieldError[],
  { entries, path, max }: { entries: unknown; path: string; max: number },
): Generator<[path: string, entry: Record<string, unknown>]> {
  if (!isObject(entries)) return
  if (Object.keys(entries).length > max) {
    errors.push(tooManyEntries(path, max))
    return
  }
  const keys = new Map<string, string>()
  for (const [key, entry] of Object.entries(entries)) {
    if (errors.length >= maxErrors) return
    const entryPath = errorPath(path, key)
    const message = keyMessage(key, keys)
    if (message !== null) errors.push({ path: entryPath, message })
    if (isObject(entry)) yield [entryPath, entry]
    else errors.push({ path: entryPath, message: 'must be an object' })
  }
}

/** @param keys the earlier keys, in the form in which they are compared */
function keyMessage(key: string, keys: Map<string, string>): string | null {
  if (!isPathName(key)) return invalidKey
  const folded = pathNameKey(key)
  const twin = keys.get(folded)
  keys.set(folded, key)
  return twin === undefined ? null : `is the same path name as ${twin}: case is ignored`
}

const invalidKey = `has a key that is not a path name: 1 to ${keySchema.maxLength} letters, digits, hyphens or underscores`

/** Adds the errors of the properties of one object; own ones only, so that `constructor` is unknown like any other. */
function addPropertyErrors(
  errors: FieldError[],
  { value, rules, path }: { value: Record<string, unknown>; rules: PropertyRules; path: string },
): void {
  for (const name of Object.keys(value)) {
    if (errors.length >= maxErrors) return
    const rule = Object.hasOwn(rules, name) ? rules[name] : undefined
    if (!rule) errors.push({ path: errorPath(path, name), message: `is not allowed${hintFor(name, rules, errors)}` })
    else errors.push(...rule.errors(value[name], path === '' ? name : `${path}.${name}`))
  }
}

function hintFor(name: string, rules: PropertyRules, errors: readonly FieldError[]): string {
  return errors.length < maxHints ? didYouMean(name, Object.keys(rules)) : ''
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
