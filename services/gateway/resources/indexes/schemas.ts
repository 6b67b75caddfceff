import Joi from 'joi'
import { indexOrders } from '#shared/data/lists/columns.ts'
import { fieldSchema, type JsonSchema } from '#shared/domain/fields/json-schema.ts'
import { indexTrialLimits, maxTags } from '#shared/domain/limits.ts'
import { type IndexBody, indexFields } from '#shared/domain/list/index-fields.ts'
import { tagsSchema, updateSchema } from '../../schemas/body-schemas.ts'
import { fieldSchemas } from '../../schemas/field-schemas.ts'
import { joi, requireOne } from '../../schemas/joi.ts'
import { pageQueryOf } from '../../schemas/page-schemas.ts'
import { queryBoolean } from '../../schemas/query-schemas.ts'
import { answerOf, arrayOf, count, id, objectOf, text } from '../../schemas/response-schemas.ts'
import { warningsSchema } from '../../schemas/warnings.ts'
import { progressSchema } from './with-progress.ts'

const fields = fieldSchemas(indexFields, 'create')

/** Body of POST /lists/{list}/indexes: each of the two names defaults to the other. */
export const createIndexBody = joi
  .object<IndexBody>({
    ...fields,
    name: fields.name.when('pathName', { is: Joi.exist(), otherwise: Joi.required() }),
    pointer: fields.pointer.required(),
  })
  .prints(requireOne('anyOf', ['name', 'pathName']))

/** Query of POST /lists/{list}/indexes. */
export const createIndexQuery = joi.object<{ dryRun: boolean }>({
  dryRun: queryBoolean()
    .default(false)
    .description('Returns the values that the index would have, and creates no index.'),
})

/** Body of PUT: any of the fields, at least one. An index of a scope has the scope's tag in addition to its own. */
export const updateIndexBody = updateSchema<IndexBody>({
  ...fieldSchemas(indexFields, 'update'),
  tags: tagsSchema(maxTags + 1).description(indexFields.tags.about),
})

/** Query of GET /lists/{list}/indexes (contract 1.4). */
export const listIndexesQuery = pageQueryOf(indexOrders, indexFields)

/** In addition to its own tags, an index of a scope has the tag of the scope. */
const tags = { ...fieldSchema(indexFields.tags), maxItems: maxTags + 1 }

/** An index (contract 2.3). */
export const indexSchema = answerOf(
  indexFields,
  {
    title: 'Index',
    description:
      "A value of a list's items by which they are addressed, ordered, filtered or searched, or which is hidden.",
    optional: ['progress'],
  },
  { tags, progress: progressSchema },
)

/** An index that was created or changed. */
export const writtenIndexSchema = answerOf(
  indexFields,
  {
    title: 'WrittenIndex',
    description: 'An index that was created or changed.',
    optional: ['warnings'],
  },
  { tags, warnings: warningsSchema },
)

const someOf = (row: JsonSchema): JsonSchema => ({ ...arrayOf(row), maxItems: indexTrialLimits.maxShown })

const sampled = objectOf({
  itemId: { ...id, description: 'The item.' },
  value: { type: ['string', 'number'], description: 'Its value.' },
})
const duplicate = objectOf({
  value: { ...text, description: 'The value.' },
  itemIds: { ...someOf(id), description: 'Some of the items that have it.' },
})

/** The values that an index would have. */
export const indexTrialSchema = objectOf(
  {
    items: { ...count, description: 'The number of items that were examined.' },
    missing: { ...count, description: 'The number of items that would have no value in the index.' },
    sample: { ...someOf(sampled), description: 'Some of the values.' },
    duplicates: {
      ...someOf(duplicate),
      description: 'Values that several items have, which an alias does not allow.',
    },
    warnings: warningsSchema,
  },
  {
    title: 'IndexTrial',
    description: 'The values that an index would have.',
    optional: ['warnings'],
  },
)
