import Joi from 'joi'
import { readSyncDocument, type SyncDocument, syncDocumentErrors } from '#shared/domain/sync/document.ts'
import { syncDocumentFormat } from '#shared/domain/sync/format.ts'
import { schemaTexts } from '#shared/domain/sync/schema-texts.ts'
import type { FieldError } from '#shared/errors.ts'
import { joi } from '../../http/joi.ts'
import { queryBoolean } from '../../http/query.ts'
import { throwIfInvalid } from '../../http/validation.ts'
import type { NewSchema } from '../../validation/messages.ts'

export type SyncQuery = { dryRun: boolean; planHash: string | null }

const notAccepted = () => queryBoolean().valid(false).messages({ 'any.only': '{{#label}} is not accepted' })

/** Flags that delete or rebuild are rejected when set, not ignored. */
export const syncQuery = Joi.object({
  dryRun: queryBoolean().default(false),
  planHash: Joi.string().max(100).default(null),
  prune: notAccepted(),
  allowRebuild: notAccepted(),
  allowDestructive: notAccepted(),
})

/** The format without references to draft-07: whoever reads the API's description would have to fetch that. */
const documentFormat = JSON.parse(
  JSON.stringify({ ...syncDocumentFormat, $schema: undefined }, (_key, value) => (value?.$ref ? {} : value)),
)

/** Only checks that it is an object: `readDocument` validates the rest, with all errors at once. */
export const syncBody = joi
  .object({ $schema: Joi.any(), scope: Joi.any(), lists: Joi.any() })
  .prints(documentFormat)
  .unknown()

/**
 * Validates a body and reads it as a document.
 * @param lists source text of its `lists`, undefined when it has none
 * @param check gives the errors of schemas
 * @throws VALIDATION_FAILED with every error of the document and of the schemas in it
 */
export async function readDocument(
  body: unknown,
  lists: string | undefined,
  check: (schemas: NewSchema[]) => Promise<FieldError[]>,
): Promise<SyncDocument> {
  const schemas = lists?.startsWith('{') ? schemaTexts(lists) : new Map<string, string>()
  throwIfInvalid(
    syncDocumentErrors(body),
    await check([...schemas].map(([key, text]) => ({ text, path: `lists.${key}.schema` }))),
  )
  return readSyncDocument(body, schemas)
}
