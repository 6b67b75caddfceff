import Joi from 'joi'
import { isVersion, versionPattern } from '#shared/domain/item/version.ts'
import { lengths } from '#shared/domain/limits.ts'
import { descriptionSchema, patternText, tagsSchema } from '../../http/body-schemas.ts'
import { joi } from '../../http/joi.ts'
import { pageQuerySchema, taggedSchema, textFilterSchema } from '../../http/page-schemas.ts'
import { queryBoolean } from '../../http/query.ts'
import { itemOrders } from './list-items.ts'

const version = patternText(isVersion, {
  message: 'must have the form <major>.<minor>.<patch>',
  pattern: versionPattern,
})

const fields = {
  data: Joi.any(),
  description: descriptionSchema(),
  tags: tagsSchema(),
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
export const itemQuery = Joi.object({
  includeData: queryBoolean().default(true),
  includeGuarded: queryBoolean().default(false),
})

/** An id, exactly; `eq:` before it changes nothing, `in:a,b` is any of several. */
const idFilter = joi
  .string()
  .allow('')
  .max(4_000)
  .check((text: string): string[] => text.replace(/^(eq|in):/, '').split(','), {
    description: 'An id, or `in:a,b` for any of several.',
  })

/**
 * Query of GET /lists/{list}/items. `order` may be the name of an index, and so may parameters that are not listed here, as
 * filters on its values.
 */
export const listItemsQuery = pageQuerySchema({
  orders: Object.keys(itemOrders),
  order: Joi.string().max(lengths.pathName),
  filters: {
    includeData: queryBoolean().default(false),
    includeGuarded: queryBoolean().default(false),
    alias: textFilterSchema(),
    readonly: queryBoolean(),
    activated: queryBoolean(),
    identityId: idFilter,
    tagged: taggedSchema(),
  },
}).unknown()
