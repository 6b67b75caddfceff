import Joi from 'joi'
import { isVersion } from '#shared/domain/item-version.ts'
import { descriptionShape, tagsShape } from '../../http/body-shapes.ts'
import { queryBoolean } from '../../http/query.ts'

const version = Joi.string()
  .custom((text: string, { error }) => (isVersion(text) ? text : error('version.form')))
  .messages({ 'version.form': '{{#label}} must have the form <major>.<minor>.<patch>' })

const fields = {
  data: Joi.any(),
  description: descriptionShape(),
  tags: tagsShape(),
  version,
  readonly: Joi.boolean(),
  activated: Joi.boolean(),
}

/** Body of POST /lists/{list}/items. */
export const createItemBody = Joi.object(fields)

/** Body of PUT /lists/{list}/items/{item}: any of the fields, at least one. */
export const updateItemBody = Joi.object({ ...fields, locked: Joi.boolean() })
  .min(1)
  .messages({ 'object.min': 'Name at least one property to change.' })

/** Query of single reads and of every write. */
export const itemQuery = Joi.object({ includeData: queryBoolean().default(true) })
