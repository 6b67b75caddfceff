import Joi from 'joi'
import { listFlags } from '#shared/data/lists/list-page.ts'
import { lengths, maxTags } from '#shared/domain/limits.ts'
import { isPathName } from '#shared/domain/list/path-name.ts'
import { descriptionShape, filledTextShape, tagsShape, textShape } from '../../http/body-schemas.ts'
import { pageQuery, taggedShape, textFilterShape } from '../../http/page-schemas.ts'
import { queryBoolean } from '../../http/query.ts'
import { listOrders } from './list-lists.ts'

const pathName = Joi.string()
  .custom((text: string, { error }) => (isPathName(text) ? text : error('path-name.form')))
  .messages({
    'path-name.form': `{{#label}} must be 1 to ${lengths.pathName} letters, digits, hyphens or underscores`,
  })

const fields = {
  name: filledTextShape(lengths.name),
  description: descriptionShape(),
  tags: tagsShape(),
  pathName,
  /** Judged by its text. */
  schema: Joi.any(),
  pinned: Joi.boolean(),
  readonly: Joi.boolean(),
  realtime: Joi.boolean(),
  protected: Joi.boolean(),
  indexable: Joi.boolean(),
  generative: Joi.boolean(),
  generativePrompt: textShape(lengths.description).allow(null),
  activated: Joi.boolean(),
}

/** Body of POST /lists: one of the two names makes the other. */
export const createListBody = Joi.object({
  ...fields,
  name: fields.name.when('pathName', { is: Joi.exist(), otherwise: Joi.required() }),
})

/** Body of PUT /lists/{list}: any of the fields, at least one. A list of a scope shows the scope's tag on top of its own. */
export const updateListBody = Joi.object({ ...fields, tags: tagsShape().max(maxTags + 1) })
  .min(1)
  .messages({ 'object.min': 'Name at least one property to change.' })

/** Query of GET /lists. */
export const listListsQuery = pageQuery({
  orders: Object.keys(listOrders),
  filters: {
    name: textFilterShape(),
    pathName: textFilterShape(),
    tagged: taggedShape(),
    ...Object.fromEntries(listFlags.map((flag) => [flag, queryBoolean()])),
  },
})
