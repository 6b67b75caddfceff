import { setImmediate as nextTick } from 'node:timers/promises'
import Joi from 'joi'
import { anyObject } from '#shared/domain/fields/json-schema.ts'
import { lengths, maxNamedLists } from '#shared/domain/limits.ts'
import { scopePattern } from '#shared/domain/list/scope.ts'
import {
  readSyncDocument,
  type SyncDocument,
  syncDocumentErrorsInSteps,
} from '#shared/domain/sync/document/document.ts'
import { syncBodyFormat } from '#shared/domain/sync/document/format.ts'
import { schemaTexts } from '#shared/domain/sync/schema-texts.ts'
import { errorPath, type FieldError } from '#shared/errors.ts'
import { createTimeSlices, inTimeSlices } from '#shared/time/time-slices.ts'
import { throwIfInvalid } from '../../http/input/validation.ts'
import { filledTextSchema } from '../../schemas/body-schemas.ts'
import { joi, requireOne } from '../../schemas/joi.ts'
import { taggedSchema } from '../../schemas/page-schemas.ts'
import { queryBoolean } from '../../schemas/query-schemas.ts'
import { objectOf } from '../../schemas/response-schemas.ts'
import type { NewSchema } from '../../validation/messages.ts'
import type { ExportQuery } from './export-schema.ts'
import type { MoveBody } from './move-lists.ts'
import { warnings } from './report-schemas.ts'

type SyncQuery = {
  dryRun: boolean
  allowRebuild: boolean
  prune: boolean
  allowDestructive: boolean
  planHash?: string
}

const dryRun = () => queryBoolean().default(false).description('Returns the changes, and applies none.')

/** The flags of a sync (contract 2.4). */
export const syncQuery = joi.object<SyncQuery>({
  dryRun: dryRun(),
  allowRebuild: queryBoolean()
    .default(false)
    .description('Whether indexes on lists with items may get another pointer or value type.'),
  planHash: Joi.string()
    .max(100)
    .description('The `planHash` of a dry run: the document is applied only if the changes are still the same.'),
  prune: queryBoolean()
    .default(false)
    .description(
      'Whether lists and indexes that the scope manages and the document no longer declares are deleted; only with a scope.',
    ),
  allowDestructive: queryBoolean()
    .default(false)
    .description('Whether lists may be deleted with their items, and guarded values may become visible.'),
})

const scopeText = () =>
  filledTextSchema(lengths.scope, { pattern: scopePattern, message: scopeForm }).description('Scopes compare exactly.')
const scopeForm = `must be 1 to ${lengths.scope} letters, digits, hyphens or underscores`

/** Body of POST /sync-schema/move. */
export const moveBody = joi
  .object<MoveBody>({
    scope: scopeText().allow(null).required().description('The new scope of the lists; null: none.'),
    lists: Joi.array()
      .items(filledTextSchema(lengths.pathName))
      .min(1)
      .max(maxNamedLists)
      .description('Ids or path names.'),
    fromScope: scopeText().description('All lists that this scope manages.'),
  })
  .xor('lists', 'fromScope')
  .prints(requireOne('oneOf', ['lists', 'fromScope']))
  .messages({
    'object.missing': 'Either lists or fromScope is required.',
    'object.xor': 'Only one of lists and fromScope is allowed.',
  })

/** Query of POST /sync-schema/move. */
export const moveQuery = joi.object<{ dryRun: boolean }>({ dryRun: dryRun() })

/** Query of GET /sync-schema. */
export const exportQuery = joi.object<ExportQuery>({
  scope: scopeText()
    .allow('')
    .description(
      'The scope of the lists; empty: lists without a scope. Absent: the scope that all lists have; if they differ, lists without a scope.',
    ),
  tagged: taggedSchema(),
  lists: joi
    .array()
    .check(
      (texts: string[], { error }) => {
        const refs = texts.flatMap((text) => text.split(',')).filter((ref) => ref !== '')
        return refs.length > maxNamedLists ? error('lists.many', { max: maxNamedLists }) : refs
      },
      { description: `Ids or path names, separated by commas or in repeated parameters. At most ${maxNamedLists}.` },
    )
    .items(Joi.string())
    .single()
    .messages({ 'lists.many': '{{#label}} must name at most {{#max}} lists' }),
})

/** Only checks that it is an object: `readDocument` validates the rest, with all errors at once. */
export const syncBody = joi
  .object({ $schema: Joi.any(), scope: Joi.any(), lists: Joi.any() })
  .prints(syncBodyFormat)
  .unknown()

/** The parts of a sync request that are validated together. */
export type SyncRequest = {
  body: unknown
  /** Source text of the document's `lists`; undefined when it has none. */
  lists: string | undefined
  prune: boolean
}

/**
 * Validates a body and reads it as a document.
 * @param check returns the errors of schemas
 * @throws VALIDATION_FAILED with every error of the document and of the schemas in it
 */
export async function readDocument(
  { body, lists, prune }: SyncRequest,
  check: (schemas: NewSchema[]) => Promise<FieldError[]>,
): Promise<SyncDocument> {
  // Parsing some megabytes has used up the current tick, and so does each step here.
  await nextTick()
  const schemas = lists?.startsWith('{') ? await readSchemas(lists) : new Map<string, string>()
  await nextTick()
  const errors = await inTimeSlices(syncDocumentErrorsInSteps(body))
  await nextTick()
  throwIfInvalid(
    prune && Object(body).scope === undefined ? [{ path: 'prune', message: 'needs a document with a scope' }] : [],
    errors,
    await check([...schemas].map(([key, text]) => ({ text, path: errorPath('lists', key, 'schema') }))),
  )
  await nextTick()
  return readSyncDocument(body, schemas)
}

async function readSchemas(lists: string): Promise<Map<string, string>> {
  const pause = createTimeSlices()
  const schemas = new Map<string, string>()
  for (const [key, schema] of schemaTexts(lists)) {
    if (schema !== null) schemas.set(key, schema)
    await pause()
  }
  return schemas
}

/** Answer of GET /sync-schema. */
export const exportSchemaAnswer = objectOf(
  { document: { ...anyObject, description: 'A sync document.' }, warnings },
  {
    title: 'SchemaSyncExport',
    description: 'Lists and indexes as a sync document.',
  },
)
