import Joi from 'joi'
import { listOrders } from '#shared/data/lists/columns.ts'
import { fieldSchema } from '#shared/domain/fields/json-schema.ts'
import { maxTags } from '#shared/domain/limits.ts'
import { type ListBody, listFields } from '#shared/domain/list/fields.ts'
import { tagsSchema, updateSchema } from '../../schemas/body-schemas.ts'
import { fieldSchemas } from '../../schemas/field-schemas.ts'
import { joi, requireOne } from '../../schemas/joi.ts'
import { pageQueryOf } from '../../schemas/page-schemas.ts'
import { answerOf, count, nullable } from '../../schemas/response-schemas.ts'
import { warningsSchema } from '../../schemas/warnings.ts'

const fields = fieldSchemas(listFields, 'create')

/** Body of POST /lists: each of the two names defaults to the other. */
export const createListBody = joi
  .object<ListBody>({ ...fields, name: fields.name.when('pathName', { is: Joi.exist(), otherwise: Joi.required() }) })
  .prints(requireOne('anyOf', ['name', 'pathName']))

/** Body of PUT /lists/{list}: any of the fields, at least one. A list of a scope has the scope's tag in addition to its own. */
export const updateListBody = updateSchema<ListBody>({
  ...fieldSchemas(listFields, 'update'),
  tags: tagsSchema(maxTags + 1).description(listFields.tags.about),
})

/** Query of GET /lists. */
export const listListsQuery = pageQueryOf(listOrders, listFields)

/** In addition to its own tags, a list of a scope has the tag of the scope. */
const tags = { ...fieldSchema(listFields.tags), maxItems: maxTags + 1 }

const itemCount = { ...nullable(count), description: listFields.itemCount.about }

/** A list (contract 2.1). */
export const listSchema = answerOf(
  listFields,
  { title: 'List', description: 'A list of items with a schema and indexes.' },
  { tags, itemCount },
)

/** A list that was created or changed. */
export const writtenListSchema = answerOf(
  listFields,
  { title: 'WrittenList', description: 'A list that was created or changed.', optional: ['warnings'] },
  { tags, itemCount, warnings: warningsSchema },
)
