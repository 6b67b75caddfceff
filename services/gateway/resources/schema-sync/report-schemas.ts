import { fieldSchema } from '#shared/domain/fields/json-schema.ts'
import { mismatchLimits } from '#shared/domain/limits.ts'
import { buildReasons } from '#shared/domain/list/index-build.ts'
import { indexFields } from '#shared/domain/list/index-fields.ts'
import { changeActions } from '#shared/domain/sync/change.ts'
import { moveActions } from '#shared/domain/sync/move.ts'
import type { ErrorName } from '#shared/errors.ts'
import {
  arrayOf,
  count,
  errorFields,
  flag,
  id,
  nullable,
  objectOf,
  oneOf,
  requestId,
  text,
} from '../../schemas/response-schemas.ts'

const changeError = objectOf(errorFields)

const build = {
  ...objectOf(
    {
      reason: { ...oneOf(buildReasons), description: 'The reason for the build.' },
      items: { ...count, description: 'The number of items whose values are added.' },
      requiresConfirmation: { ...flag, description: 'Whether the change needs `allowRebuild`.' },
      buildStatus: fieldSchema(indexFields.buildStatus),
    },
    { optional: ['buildStatus'] },
  ),
  description: 'The build that the change starts; only of an index on a list that holds items.',
}

const deletion = {
  ...objectOf(
    {
      items: { ...count, description: 'The number of items that the list has.' },
      indexes: { ...count, description: 'The number of indexes that the list has.' },
      destructive: { ...flag, description: 'Whether the change needs `allowDestructive`.' },
    },
    { optional: ['items', 'indexes'] },
  ),
  description: 'The deletion of a list or an index.',
}

const mismatch = objectOf({
  itemId: { ...id, description: 'The item.' },
  errors: {
    ...arrayOf(
      objectOf({
        pointer: { ...text, description: 'JSON Pointer to the place in its data.' },
        message: { ...text, description: 'A sentence about it.' },
      }),
    ),
    maxItems: mismatchLimits.maxErrors,
    description: 'Some of the places where it does not match.',
  },
})

const mismatches = {
  ...objectOf({
    failing: { ...count, description: 'The number of items that do not match; of those that were checked.' },
    checked: { ...count, description: 'The number of items that were checked.' },
    complete: { ...flag, description: 'Whether every item that the caller may view was checked.' },
    items: {
      ...arrayOf(mismatch),
      maxItems: mismatchLimits.maxItems,
      description: 'Some of the items that do not match.',
    },
  }),
  description: 'Stored items that do not match the new schema; absent: they were not checked.',
}

const changed = {
  resourceType: { ...oneOf(['list', 'index']), description: 'The type of what changes.' },
  list: { ...text, description: 'The path name of the list.' },
  index: { ...text, description: 'The path name of the index.' },
  listId: { ...id, description: 'The id of the list; absent: it does not exist yet.' },
  indexId: { ...id, description: 'The id of the index; absent: it does not exist yet.' },
}
const fields = {
  type: 'object',
  additionalProperties: objectOf({
    from: { description: 'The value before the change.' },
    to: { description: 'The value after the change.' },
  }),
  description: 'The fields that change, by name.',
}
const errors = { ...arrayOf(changeError), description: 'The errors that keep the change from being applied.' }
/** The property `warnings` of a change, a move and an export. */
export const warnings = { ...arrayOf(text), description: 'Sentences about effects that may not be intended.' }

const change = objectOf(
  {
    ...changed,
    action: { ...oneOf(changeActions), description: 'The kind of change.' },
    fields,
    build,
    delete: deletion,
    mismatches,
    warnings,
    errors,
  },
  {
    title: 'SchemaSyncChange',
    description: 'A change of one list or index.',
    optional: ['index', 'listId', 'indexId', 'fields', 'build', 'delete', 'mismatches', 'warnings', 'errors'],
  },
)

const summary = Object.fromEntries(
  Object.entries({
    create: 'create a list or an index',
    update: 'update one',
    adopt: 'give one without a scope the scope of the document',
    delete: 'delete one',
    noChange: 'leave one as it is',
    error: 'have errors',
    builds: 'build an index',
    destructive: 'need `allowDestructive`',
  }).map(([name, done]) => [name, { ...count, description: `The number of changes that ${done}.` }]),
)

const applied = {
  dryRun: { ...flag, description: 'Whether the request was a dry run.' },
  applied: { ...flag, description: 'Whether the changes were applied.' },
}
const notBlocked = { type: 'null', description: 'Null: nothing blocks the changes.' }
const aboutBlockedBy = 'The first reason why nothing was changed.'

const report = {
  syncId: { ...id, description: 'The id of the sync, which events and the log name.' },
  planHash: {
    ...text,
    pattern: '^[0-9a-f]{64}$',
    description: 'The hash of the changes, for `planHash` of the sync that is to apply them.',
  },
  ...applied,
  prune: { ...flag, description: 'Whether the request had `prune`.' },
  scope: { ...nullable(text), description: 'The scope of the document; null: it has none.' },
  summary: { ...objectOf(summary), description: 'The number of changes of each kind.' },
  changes: { ...arrayOf(change), description: 'The changes of lists and indexes, in the order of the document.' },
}

/** The changes that a sync has applied or would apply (contract 2.4). */
export const syncReportSchema = objectOf(
  { ...report, blockedBy: notBlocked },
  { title: 'SchemaSync', description: 'The changes that a sync applied or would apply.' },
)

const blockingErrorOf = (names: ErrorName[]) => ({
  ...errorFields,
  name: { ...oneOf(names), description: errorFields.name.description },
})
const blockingError = blockingErrorOf([
  'SCHEMA_SYNC_PLAN_HAS_ERRORS',
  'SCHEMA_SYNC_SCOPE_CONFLICT',
  'SCHEMA_SYNC_REBUILD_NOT_ALLOWED',
  'SCHEMA_SYNC_DESTRUCTIVE_NOT_ALLOWED',
])

/** The same when nothing is done, with the error of `blockedBy`. */
export const blockedSyncSchema = objectOf(
  {
    ...report,
    blockedBy: { ...objectOf(blockingError), description: aboutBlockedBy },
    ...blockingError,
    requestId,
  },
  {
    title: 'BlockedSchemaSync',
    description: 'The changes of a sync that applied none, with the error.',
  },
)

const moveSummary = Object.fromEntries(
  Object.entries({
    move: 'move a list or an index from another scope',
    assign: 'give a scope to one without a scope',
    release: 'remove the scope',
    noChange: 'leave one as it is',
    error: 'have errors',
  }).map(([name, done]) => [name, { ...count, description: `The number of changes that ${done}.` }]),
)

const moveChange = objectOf(
  {
    ...changed,
    list: { ...text, description: 'The path name of the list; if there is no such list, its name in the request.' },
    action: { ...oneOf(moveActions), description: 'The kind of change.' },
    fields,
    errors,
  },
  {
    title: 'SchemaSyncMoveChange',
    description: 'A change of the scope of one list or index.',
    optional: ['index', 'listId', 'indexId', 'fields', 'errors'],
  },
)

const moveReport = {
  moveId: { ...id, description: 'The id of the move, which events and the log name.' },
  ...applied,
  scope: { ...nullable(text), description: 'The scope that manages the lists afterwards; null: none.' },
  summary: { ...objectOf(moveSummary), description: 'The number of changes of each kind.' },
  changes: { ...arrayOf(moveChange), description: 'The changes of lists and indexes.' },
  warnings,
}

/** The changes that a move has applied or would apply (contract 2.4). */
export const moveReportSchema = objectOf(
  { ...moveReport, blockedBy: notBlocked },
  { title: 'SchemaSyncMove', description: 'The changes that a move applied or would apply.' },
)

const moveError = blockingErrorOf(['SCHEMA_SYNC_MOVE_HAS_ERRORS'])
/** The same when nothing is done, with the error of `blockedBy`. */
export const blockedMoveSchema = objectOf(
  { ...moveReport, blockedBy: { ...objectOf(moveError), description: aboutBlockedBy }, ...moveError, requestId },
  {
    title: 'BlockedSchemaSyncMove',
    description: 'The changes of a move that applied none, with the error.',
  },
)
