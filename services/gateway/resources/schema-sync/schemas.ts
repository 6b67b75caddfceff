import Joi from 'joi'
import { anyObject, fieldSchema } from '#shared/domain/fields/json-schema.ts'
import { buildReasons } from '#shared/domain/list/index-build.ts'
import { indexFields } from '#shared/domain/list/index-fields.ts'
import { changeActions } from '#shared/domain/sync/change.ts'
import { readSyncDocument, type SyncDocument, syncDocumentErrors } from '#shared/domain/sync/document.ts'
import { syncDocumentFormat } from '#shared/domain/sync/format.ts'
import { schemaTexts } from '#shared/domain/sync/schema-texts.ts'
import type { ErrorName, FieldError } from '#shared/errors.ts'
import { joi } from '../../http/joi.ts'
import { queryBoolean } from '../../http/query.ts'
import { arrayOf, count, exampleId, flag, id, nullable, objectOf, oneOf, text } from '../../http/response-schemas.ts'
import { throwIfInvalid } from '../../http/validation.ts'
import type { NewSchema } from '../../validation/messages.ts'

export type SyncQuery = {
  dryRun: boolean
  allowRebuild: boolean
  prune: boolean
  allowDestructive: boolean
  planHash?: string
}

/** The flags of a sync (contract 2.4). */
export const syncQuery = Joi.object({
  dryRun: queryBoolean().default(false).description('Answers with the changes, and makes none.'),
  allowRebuild: queryBoolean()
    .default(false)
    .description('Whether indexes on lists with items may get another pointer or value type.'),
  planHash: Joi.string()
    .max(100)
    .description('The `planHash` of a dry run: the document is applied only if the changes are still those.'),
  prune: queryBoolean()
    .default(false)
    .description(
      'Whether lists and indexes that the scope manages and the document no longer declares are deleted; only with a scope.',
    ),
  allowDestructive: queryBoolean()
    .default(false)
    .description('Whether lists may be deleted with their items, and guarded values may become visible.'),
})

/** The format without references to draft-07: whoever reads the API's description would have to fetch that. */
const documentFormat = JSON.parse(
  JSON.stringify({ ...syncDocumentFormat, $schema: undefined, title: 'SyncDocument' }, (_key, value) =>
    value?.$ref ? {} : value,
  ),
)

/** Only checks that it is an object: `readDocument` validates the rest, with all errors at once. */
export const syncBody = joi
  .object({ $schema: Joi.any(), scope: Joi.any(), lists: Joi.any() })
  .prints(documentFormat)
  .unknown()
  .example({ scope: 'cookbook', lists: { recipes: { indexes: { slug: { pointer: '/slug', alias: true } } } } })

/** A request to sync, as far as it is validated together. */
export type SyncRequest = {
  body: unknown
  /** Source text of the document's `lists`; undefined when it has none. */
  lists: string | undefined
  prune: boolean
}

/**
 * Validates a body and reads it as a document.
 * @param check gives the errors of schemas
 * @throws VALIDATION_FAILED with every error of the document and of the schemas in it
 */
export async function readDocument(
  { body, lists, prune }: SyncRequest,
  check: (schemas: NewSchema[]) => Promise<FieldError[]>,
): Promise<SyncDocument> {
  const schemas = lists?.startsWith('{') ? schemaTexts(lists) : new Map<string, string>()
  throwIfInvalid(
    prune && Object(body).scope === undefined ? [{ path: 'prune', message: 'needs a document with a scope' }] : [],
    syncDocumentErrors(body),
    await check([...schemas].map(([key, text]) => ({ text, path: `lists.${key}.schema` }))),
  )
  return readSyncDocument(body, schemas)
}

const changeError = objectOf({ name: text, code: { type: 'integer' }, message: text })

const build = {
  ...objectOf(
    {
      reason: oneOf(buildReasons),
      items: count,
      requiresConfirmation: flag,
      buildStatus: fieldSchema(indexFields.buildStatus),
    },
    { optional: ['buildStatus'] },
  ),
  description: 'The build that the change starts; only of an index on a list that holds items.',
}

const deletion = {
  ...objectOf({ items: count, indexes: count, destructive: flag }, { optional: ['items', 'indexes'] }),
  description: 'What is deleted with a list; `destructive`: only with `allowDestructive`.',
}

const change = objectOf(
  {
    resourceType: oneOf(['list', 'index']),
    list: { ...text, description: 'The path name of the list.' },
    index: { ...text, description: 'The path name of the index.' },
    listId: id,
    indexId: id,
    action: oneOf(changeActions),
    fields: { type: 'object', additionalProperties: objectOf({ from: {}, to: {} }) },
    build,
    delete: deletion,
    warnings: arrayOf(text),
    errors: arrayOf(changeError),
  },
  {
    title: 'SchemaSyncChange',
    optional: ['index', 'listId', 'indexId', 'fields', 'build', 'delete', 'warnings', 'errors'],
  },
)

const summary = Object.fromEntries(
  ['create', 'update', 'adopt', 'delete', 'noChange', 'error', 'builds', 'destructive'].map((name) => [name, count]),
)

const report = {
  syncId: id,
  planHash: { ...text, pattern: '^[0-9a-f]{64}$' },
  dryRun: flag,
  applied: flag,
  prune: flag,
  scope: nullable(text),
  summary: objectOf(summary),
  changes: arrayOf(change),
}

const examplePlanHash = '9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08'
const exampleReport = {
  ...{ syncId: exampleId, planHash: examplePlanHash, dryRun: false, applied: true, prune: false, scope: 'cookbook' },
  summary: { create: 1, update: 0, adopt: 0, delete: 0, noChange: 0, error: 0, builds: 0, destructive: 0 },
  changes: [{ resourceType: 'list', list: 'recipes', listId: exampleId, action: 'create' }],
  blockedBy: null,
}

const blockedBy = {
  name: 'SCHEMA_SYNC_PLAN_HAS_ERRORS',
  code: 21002,
  message: 'The plan has errors; nothing was changed.',
}

/** What a sync has done or would do (contract 2.4). */
export const syncReportSchema = objectOf(
  { ...report, blockedBy: { type: 'null' } },
  { title: 'SchemaSync', examples: [exampleReport] },
)

const blockingError = {
  name: oneOf([
    'SCHEMA_SYNC_PLAN_HAS_ERRORS',
    'SCHEMA_SYNC_SCOPE_CONFLICT',
    'SCHEMA_SYNC_REBUILD_NOT_ALLOWED',
    'SCHEMA_SYNC_DESTRUCTIVE_NOT_ALLOWED',
  ] satisfies ErrorName[]),
  code: { type: 'integer' },
  message: text,
}

/** The same when nothing is done: an error too, that of `blockedBy`. */
export const blockedSyncSchema = objectOf(
  { ...report, blockedBy: objectOf(blockingError), ...blockingError, requestId: text },
  {
    title: 'BlockedSchemaSync',
    examples: [{ ...exampleReport, applied: false, blockedBy, ...blockedBy, requestId: exampleId }],
  },
)

/** The format of a document, itself a JSON Schema of draft-07. */
export const syncFormatSchema = { ...anyObject, required: ['$schema', 'properties'] }
