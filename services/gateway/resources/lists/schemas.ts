import Joi from 'joi'
import { listFlags, listOrders } from '#shared/data/lists/columns.ts'
import { lengths, maxTags } from '#shared/domain/limits.ts'
import { isPathName, pathNamePattern } from '#shared/domain/list/path-name.ts'
import { descriptionSchema, filledTextSchema, patternText, tagsSchema, textSchema } from '../../http/body-schemas.ts'
import { joi } from '../../http/joi.ts'
import { pageQuerySchema, taggedSchema, textFilterSchema } from '../../http/page-schemas.ts'
import { queryBoolean } from '../../http/query.ts'

const pathName = patternText(isPathName, {
  message: `must be 1 to ${lengths.pathName} letters, digits, hyphens or underscores`,
  pattern: pathNamePattern,
  maxLength: lengths.pathName,
})

const fields = {
  name: filledTextSchema(lengths.name),
  description: descriptionSchema(),
  tags: tagsSchema(),
  pathName,
  /** Its source text is validated by `schemaErrors`. */
  schema: Joi.any(),
  pinned: Joi.boolean(),
  readonly: Joi.boolean(),
  realtime: Joi.boolean(),
  protected: Joi.boolean(),
  indexable: Joi.boolean(),
  generative: Joi.boolean(),
  generativePrompt: textSchema(lengths.description).allow(null),
  activated: Joi.boolean(),
}

/** Body of POST /lists: each of the two names defaults to the other. */
export const createListBody = joi
  .object({ ...fields, name: fields.name.when('pathName', { is: Joi.exist(), otherwise: Joi.required() }) })
  .prints({ anyOf: [{ required: ['name'] }, { required: ['pathName'] }] })

/** Body of PUT /lists/{list}: any of the fields, at least one. A list of a scope has the scope's tag in addition to its own. */
export const updateListBody = Joi.object({ ...fields, tags: tagsSchema().max(maxTags + 1) })
  .min(1)
  .messages({ 'object.min': 'Name at least one property to change.' })

/** Query of GET /lists. */
export const listListsQuery = pageQuerySchema({
  orders: Object.keys(listOrders),
  filters: {
    name: textFilterSchema(),
    pathName: textFilterSchema(),
    tagged: taggedSchema(),
    ...Object.fromEntries(listFlags.map((flag) => [flag, queryBoolean()])),
  },
})
