import { RawJson, randomId } from '#client/src/json.ts'
import type { JsonObject, List } from '#client/src/types/resources.ts'
import type { SyncDocument } from '#client/src/types/sync-resources.ts'
import { maxJsonDepth } from '#shared/domain/limits.ts'
import { findSyntaxError } from '#shared/json/text/syntax-error.ts'
import { client } from '../../api/client.ts'
import { toListdError } from '../../api/errors.ts'
import { withComment } from './schema-edit.ts'
import { type SchemaError, schemaErrors } from './schema-errors.ts'

/** A schema as it is sent: as text, of which nothing is lost. @param text JSON, or empty: no schema */
export function sentSchema(text: string): JsonObject | null {
  return text.trim() === '' ? null : (new RawJson(text) as object as JsonObject)
}

/** What is wrong with a text as a schema; null: this cannot be asked now. */
export async function validateSchema(list: List, text: string, signal: AbortSignal): Promise<SchemaError[] | null> {
  if (text.trim() === '') return []
  const syntax = syntaxErrors(text)
  if (syntax.length > 0) return syntax
  try {
    // Of a list that is not there: no stored item has to be read. No list is called like the id of one.
    await client.sync.plan({ lists: { [list.id]: { schema: sentSchema(text) } } }, { signal })
    return []
  } catch (failure) {
    const { name, details } = toListdError(failure)
    return name === 'VALIDATION_FAILED' ? schemaErrors(text, details?.errors ?? [], `lists.${list.id}.schema`) : null
  }
}

/** Why a text is not JSON, where that is found first; none: it is. */
export function syntaxErrors(text: string): SchemaError[] {
  const found = findSyntaxError(text, maxJsonDepth)
  if (found === null) return []
  const from = Math.min(found.offset, text.length)
  return [{ pointer: null, from, to: from + 1, line: text.slice(0, from).split('\n').length, message: found.why }]
}

/** What a check of stored items has found; `warnings`: why it has found less than it could. */
export type StoredCheck = { mismatches: Mismatches | null; warnings: readonly string[] }
export type Mismatches = NonNullable<Awaited<ReturnType<typeof client.sync.plan>>['changes'][number]['mismatches']>

/**
 * Compares the stored items of a list with a schema; changes nothing.
 * @param isStored whether the list has this schema already
 * @throws ListdError
 */
export async function checkStored(
  list: List,
  { text, isStored }: { text: string; isStored: boolean },
  signal?: AbortSignal,
): Promise<StoredCheck> {
  // Items are compared with a schema that changes only. A comment more is a change, and says the same.
  const schema = sentSchema(isStored ? withComment(text, randomId()) : text)
  const entry = { schema, ...(list.readonly && { readonly: false }) }
  const document: SyncDocument = {
    lists: { [list.pathName]: entry },
    ...(list.scope !== null && { scope: list.scope }),
  }
  const { changes } = await client.sync.plan(document, { signal })
  const change = changes.find(({ resourceType }) => resourceType === 'list')
  return { mismatches: change?.mismatches ?? null, warnings: change?.warnings ?? [] }
}
