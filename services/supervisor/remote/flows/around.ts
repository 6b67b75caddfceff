import type { FlowSurroundings, KnownList } from '#shared/domain/flow/definition.ts'
import { newIndex } from '#shared/domain/list/index-settings.ts'
import { pathNameKey } from '#shared/domain/path-name.ts'
import { type IndexEntry, type ListEntry, readSyncDocument } from '#shared/domain/sync/document/document.ts'
import { schemaTexts } from '#shared/domain/sync/schema-texts.ts'
import { getValidDocument } from '../check.ts'

/** The default of `items.maxBytes`. */
const maxItemBytes = 1024 * 1024

/**
 * What is known about the environment of flows without a server.
 * @param schema a sync document with the lists that flows name; without it nothing is known about lists
 * @throws Error with each error of the document
 */
export async function readSurroundings(schema: string | undefined): Promise<FlowSurroundings> {
  const lists = schema === undefined ? null : listsOf(await getValidDocument(schema))
  return { lists, webhooks: null, maxItemBytes }
}

/** The lists of a valid sync document, as they are once it is applied. */
export function listsOf(document: unknown): KnownList[] {
  const { lists } = document as { lists: unknown }
  const texts = [...schemaTexts(JSON.stringify(lists))].flatMap(([key, text]) =>
    text === null ? [] : [[key, text] as const],
  )
  return readSyncDocument(document, new Map(texts)).lists.map(knownList)
}

function knownList({ pathName, fields, indexes }: ListEntry): KnownList {
  const key = pathNameKey(pathName)
  const list = { id: key, accountId: '', readonly: fields.readonly ?? false }
  return { key, list, schema: fields.schema ?? null, indexes: (indexes ?? []).map((index) => knownIndex(key, index)) }
}

function knownIndex(listId: string, { pathName, fields }: IndexEntry) {
  return newIndex({ ...fields, pathName }, { id: `${listId}.${pathName}`, accountId: '', listId, at: 0 })
}
