import { RawJson, randomId } from '#client/src/json.ts'
import type { JsonObject, List } from '#client/src/types/resources.ts'
import type { SyncDocument } from '#client/src/types/sync-resources.ts'
import { maxJsonDepth } from '#shared/domain/limits.ts'
import { findSyntaxError } from '#shared/json/text/syntax-error.ts'
import { client } from '../../api/client.ts'
import { toListdError } from '../../api/errors.ts'
import { withComment } from './schema-edit.ts'
import { type SchemaError, schemaErrors } from './schema-errors.ts'

/** A schema to send. It is sent as text, so that no digit is lost. @param text JSON; empty: no schema */
export function sentSchema(text: string): JsonObject | null {
  return text.trim() === '' ? null : (new RawJson(text) as object as JsonObject)
}

/** The errors of a text as a schema; null: the service could not check it. */
export async function validateSchema(list: List, text: string, signal: AbortSignal): Promise<SchemaError[] | null> {
  if (text.trim() === '') return []
  const syntax = syntaxErrors(text)
  if (syntax.length > 0) return syntax
  try {
    // Plan a list that does not exist, so that no stored items are read: no list has an id as its path name.
    await client.sync.plan({ lists: { [list.id]: { schema: sentSchema(text) } } }, { signal })
    return []
  } catch (failure) {
    const { name, details } = toListdError(failure)
    return name === 'VALIDATION_FAILED' ? schemaErrors(text, details?.errors ?? [], `lists.${list.id}.schema`) : null
  }
}

/** The first syntax error of a text; empty: it is valid JSON. */
export function syntaxErrors(text: string): SchemaError[] {
  const found = findSyntaxError(text, maxJsonDepth)
  if (found === null) return []
  const from = Math.min(found.offset, text.length)
  return [{ pointer: null, from, to: from + 1, line: text.slice(0, from).split('\n').length, message: found.why }]
}

/** The result of a check of stored items; `warnings`: why it is not complete. */
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
  // Items are compared only if the schema changes: an added comment is a change without an effect.
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
