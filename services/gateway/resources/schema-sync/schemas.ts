import { setImmediate as nextTick } from 'node:timers/promises'
import Joi from 'joi'
import { anyObject, fieldSchema } from '#shared/domain/fields/json-schema.ts'
import { lengths, maxNamedLists } from '#shared/domain/limits.ts'
import { buildReasons } from '#shared/domain/list/index-build.ts'
import { indexFields } from '#shared/domain/list/index-fields.ts'
import { scopePattern } from '#shared/domain/list/scope.ts'
import { changeActions } from '#shared/domain/sync/change.ts'
import { readSyncDocument, type SyncDocument, syncDocumentErrors } from '#shared/domain/sync/document.ts'
import { syncBodyFormat, syncDocumentExample } from '#shared/domain/sync/format.ts'
import { moveActions } from '#shared/domain/sync/move.ts'
import { schemaTexts } from '#shared/domain/sync/schema-texts.ts'
import { type ErrorName, errorPath, type FieldError } from '#shared/errors.ts'
import { filledTextSchema } from '../../http/body-schemas.ts'
import { joi, requireOne } from '../../http/joi.ts'
import { taggedSchema } from '../../http/page-schemas.ts'
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

const dryRun = () => queryBoolean().default(false).description('Answers with the changes, and makes none.')

/** The flags of a sync (contract 2.4). */
export const syncQuery = Joi.object({
  dryRun: dryRun(),
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

const scopeText = () =>
  filledTextSchema(lengths.scope, { pattern: scopePattern, message: scopeForm }).description('Scopes compare exactly.')
const scopeForm = `must be 1 to ${lengths.scope} letters, digits, hyphens or underscores`

/** Body of POST /sync-schema/move. */
export const moveBody = joi
  .object({
    scope: scopeText().allow(null).required().description('What is to manage the lists; null: none.'),
    lists: Joi.array()
      .items(filledTextSchema(lengths.pathName))
      .min(1)
      .max(maxNamedLists)
      .description('Ids or path names.'),
    fromScope: scopeText().description('All lists that this scope manages.'),
  })
  .xor('lists', 'fromScope')
  .prints(requireOne('oneOf', ['lists', 'fromScope']))
  .example({ lists: ['recipes'], scope: 'cookbook' })
  .messages({
    'object.missing': 'Either lists or fromScope is required.',
    'object.xor': 'Only one of lists and fromScope is allowed.',
  })

/** Query of POST /sync-schema/move. */
export const moveQuery = Joi.object({ dryRun: dryRun() })

/** Query of GET /sync-schema. */
export const exportQuery = Joi.object({
  scope: scopeText()
    .allow('')
    .description('The scope of the lists; empty: those of none. Absent: the one that all lists have, or none.'),
  tagged: taggedSchema(),
  lists: joi
    .array()
    .check(
      (texts: string[], { error }) => {
        const refs = texts.flatMap((text) => text.split(',')).filter((ref) => ref !== '')
        return refs.length > maxNamedLists ? error('lists.many', { max: maxNamedLists }) : refs
      },
      { description: `Ids or path names; a comma separates them, or the next parameter. At most ${maxNamedLists}.` },
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
  .example(syncDocumentExample)

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
  // Parsing some megabytes has used up the current tick, and so does each step here.
  await nextTick()
  const schemas = lists?.startsWith('{') ? schemaTexts(lists) : new Map<string, string>()
  await nextTick()
  const errors = syncDocumentErrors(body)
  await nextTick()
  throwIfInvalid(
    prune && Object(body).scope === undefined ? [{ path: 'prune', message: 'needs a document with a scope' }] : [],
    errors,
    await check([...schemas].map(([key, text]) => ({ text, path: errorPath('lists', key, 'schema') }))),
  )
  await nextTick()
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

const moveReport = {
  moveId: id,
  dryRun: flag,
  applied: flag,
  scope: nullable(text),
  summary: objectOf({ move: count, assign: count, release: count, noChange: count, error: count }),
  changes: arrayOf(
    objectOf(
      {
        resourceType: oneOf(['list', 'index']),
        list: { ...text, description: 'The path name of the list; of one that is not there, as it was named.' },
        index: { ...text, description: 'The path name of the index.' },
        listId: id,
        indexId: id,
        action: oneOf(moveActions),
        fields: { type: 'object', additionalProperties: objectOf({ from: {}, to: {} }) },
        errors: arrayOf(changeError),
      },
      { title: 'SchemaSyncMoveChange', optional: ['index', 'listId', 'indexId', 'fields', 'errors'] },
    ),
  ),
  warnings: arrayOf(text),
}

const exampleMove = {
  ...{ moveId: exampleId, dryRun: false, applied: true, scope: 'cookbook' },
  summary: { move: 0, assign: 1, release: 0, noChange: 0, error: 0 },
  changes: [{ resourceType: 'list', list: 'recipes', listId: exampleId, action: 'assign' }],
  ...{ warnings: [], blockedBy: null },
}

/** What a move has done or would do (contract 2.4). */
export const moveReportSchema = objectOf(
  { ...moveReport, blockedBy: { type: 'null' } },
  { title: 'SchemaSyncMove', examples: [exampleMove] },
)

const moveError = {
  name: oneOf(['SCHEMA_SYNC_MOVE_HAS_ERRORS'] satisfies ErrorName[]),
  code: { type: 'integer' },
  message: text,
}
const moveBlockedBy = {
  name: 'SCHEMA_SYNC_MOVE_HAS_ERRORS',
  code: 21005,
  message: 'The move has errors; nothing was changed.',
}

/** The same when nothing is done: an error too, that of `blockedBy`. */
export const blockedMoveSchema = objectOf(
  { ...moveReport, blockedBy: objectOf(moveError), ...moveError, requestId: text },
  {
    title: 'BlockedSchemaSyncMove',
    examples: [{ ...exampleMove, applied: false, blockedBy: moveBlockedBy, ...moveBlockedBy, requestId: exampleId }],
  },
)

/** Answer of GET /sync-schema. */
export const exportSchemaAnswer = objectOf(
  { document: { ...anyObject, description: 'A sync document.' }, warnings: arrayOf(text) },
  {
    title: 'SchemaSyncExport',
    examples: [{ document: { scope: 'cookbook', lists: { recipes: { name: 'Recipes', indexes: {} } } }, warnings: [] }],
  },
)

/** The format of a document, itself a JSON Schema of draft-07. */
export const syncFormatSchema = { ...anyObject, required: ['$schema', 'properties'] }
