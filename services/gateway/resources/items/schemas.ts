import Joi from 'joi'
import { fieldsBehindData, type ItemBody, itemFields } from '#shared/domain/item/fields.ts'
import { itemOrderNames } from '#shared/domain/item/filters.ts'
import { lengths } from '#shared/domain/limits.ts'
import { updateSchema } from '../../schemas/body-schemas.ts'
import { fieldSchemas } from '../../schemas/field-schemas.ts'
import { joi } from '../../schemas/joi.ts'
import { type PageQuery, pageQuerySchema, type SentFilters } from '../../schemas/page-schemas.ts'
import { queryBoolean } from '../../schemas/query-schemas.ts'
import { answerProperties, id, nullable, objectOf, stamps, text } from '../../schemas/response-schemas.ts'
import type { DataChoice } from './data-choice.ts'
import { dataChoice } from './data-choice-schemas.ts'
import { type ItemFilters, itemFilterSchemas } from './questions/filter-schemas.ts'

const aboutData = 'Any JSON value; the schema of the list may restrict it.'

/** The fields that the bodies of creates and of updates name. */
export const createFields = { data: Joi.any().description(aboutData), ...fieldSchemas(itemFields, 'create') }
export const updateFields = { data: Joi.any().description(aboutData), ...fieldSchemas(itemFields, 'update') }

/** Body of POST /lists/{list}/items. */
export const createItemBody = joi.object<ItemBody<'create'>>(createFields)

/** Body of PUT /lists/{list}/items/{item}: any of the fields, at least one. */
export const updateItemBody = updateSchema<ItemBody>(updateFields)

/** Guard indexes hide values from tokens (contract 2.2). */
export function includeGuardedSchema(): Joi.BooleanSchema {
  return queryBoolean().description('Whether the identity that owns an item gets its guarded values too.')
}

function includeDataSchema(): Joi.BooleanSchema {
  return queryBoolean().description('Whether items include their data.')
}

const includeData = includeDataSchema().default(true)
const includeGuarded = includeGuardedSchema().default(false)
const earlierVersion = updateFields.version.description(
  'The version to read, in its newest state; absent: the current state of the item.',
)

type ReadQuery = DataChoice & { includeGuarded: boolean; version?: string }

/** Query of single reads. */
export const readItemQuery = joi.object<ReadQuery & { includeData: boolean }>({
  includeData,
  includeGuarded,
  version: earlierVersion,
  ...dataChoice,
})

/** Query of GET on an item's data. */
export const readDataQuery = joi.object<ReadQuery>({ includeGuarded, version: earlierVersion, ...dataChoice })

type WriteQuery = { includeData: boolean; includeGuarded: boolean; dryRun: boolean }

/** Query of every write. */
export const writeItemQuery = joi.object<WriteQuery>({
  includeData,
  includeGuarded,
  dryRun: queryBoolean()
    .default(false)
    .description('Validates the write in full and returns its answer, without writing.'),
})

/** Query of POST on an item's data. */
export const mergeDataQuery = writeItemQuery.append<WriteQuery & { merge?: 'rfc7396' }>({
  merge: Joi.valid('rfc7396').description('Merges as a merge patch: null removes a member, arrays are replaced.'),
})

/** The query of a page of items. */
export type ListItemsQuery = PageQuery & SentFilters<ItemFilters> & DataChoice & { includeGuarded: boolean }

/** Query of GET /lists/{list}/items/data, with the filters on indexes. `order` may be the name of an index. */
export const listDataQuery = pageQuerySchema<string, ItemFilters, DataChoice & { includeGuarded: boolean }>({
  orders: itemOrderNames,
  order: Joi.string()
    .max(lengths.pathName)
    .description(
      `One of ${itemOrderNames.join(', ')}, or the path name of an index with \`sorting\`, by default in its \`defaultOrderDirection\`.`,
    ),
  filters: {
    includeGuarded,
    ...dataChoice,
    ...itemFilterSchemas,
  },
})

/** Query of GET /lists/{list}/items. */
export const listItemsQuery = listDataQuery.append<ListItemsQuery & { includeData: boolean }>({
  includeData: includeDataSchema().default(false),
})

/** The query parameters that the route does not declare: those with the path names of the list's indexes. */
export const indexFilters = {
  name: 'indexFilters',
  description:
    'Filters on indexes with `filtering`, by name or `index.<name>`. ' +
    'Text as in `alias`; numbers plain or with `lt:`, `lte:`, `gt:`, `gte:`; dates too, or with `on:` (a day in UTC), ' +
    '`before:`, `after:` (inclusive). `in:a,b` any, `null` no value, `not:` inverts the filter. If repeated, each must pass.',
  example: { title: 'starts:pan', serves: 'gte:4' },
}

const etagPattern = '^"\\d+"$'

const owner = {
  id: { ...id, description: 'The id of the identity.' },
  displayName: { ...text, description: 'The display name of the identity.' },
}

/** An item (contract 2.2). */
export const itemSchema = objectOf(
  {
    ...stamps,
    identity: { ...nullable(objectOf(owner)), description: 'The identity that owns it; null: none does.' },
    data: { description: 'Any JSON value; absent when the request does not include data.' },
    dataHidden: {
      enum: [true],
      description: 'Present after a write whose result the token may not view: `data` is then absent.',
    },
    ...answerProperties(fieldsBehindData),
    etag: {
      ...text,
      pattern: etagPattern,
      description: 'The revision of the item, as in the header `etag`, for `if-match`. Absent for a dry run.',
    },
  },
  { title: 'Item', description: 'An entry of a list.', optional: ['data', 'dataHidden', 'etag'] },
)

/** A value of an item's data. */
export const itemDataSchema = {
  title: 'ItemData',
  description: 'Any JSON value.',
}

/** The errors of finding an item by its alias. */
export const aliasErrors = ['INDEX_BUILDING', 'INDEX_BUILD_FAILED'] as const

/** The errors of every change of an item. */
export const changeErrors = [
  ...aliasErrors,
  ...(['ITEM_PRECONDITION_FAILED', 'LIST_READONLY', 'ITEM_LOCKED', 'ITEM_READONLY'] as const),
] as const

/** Headers of responses and of requests. */
const revision = { about: 'The revision of the item.', pattern: etagPattern }
export const etagOfRead = {
  etag: {
    about:
      'The revision of the item, and a hash of everything else that the answer depends on. Writes accept it as `if-match`.',
    pattern: '^"\\d+(-[\\w-]+)?"$',
  },
}
export const etagOfWrite = {
  etag: { ...revision, about: `${revision.about} Absent for a dry run.`, optional: true },
} as const
export const ifMatch = { 'if-match': 'The etag that the item must still have.' }
export const idempotencyHeader = {
  'idempotency-key': 'For 24 hours, a request with the same key and body gets the answer of the first one.',
}
/** The header of an answer to a request with an idempotency key. */
export const repeatedAnswer = {
  'idempotency-replayed': {
    about: '`true`: the same request was sent before, and this is its answer; nothing was done now. Otherwise absent.',
    optional: true,
  },
} as const
/** The same header with its value. */
export function repeatedHeader(isRepeated: boolean): Record<string, string> {
  return isRepeated ? { 'idempotency-replayed': 'true' } : {}
}
