import Joi from 'joi'
import { tokenOrders } from '#shared/data/accounts/token-columns.ts'
import { tokenFields } from '#shared/domain/token/fields.ts'
import { fieldSchemas } from '../../http/field-schemas.ts'
import { pageQuerySchema, taggedSchema, textFilterSchema } from '../../http/page-schemas.ts'
import { queryBoolean } from '../../http/query.ts'

const fields = fieldSchemas(tokenFields, 'create')

/** Body of POST /tokens. A token without rules may do nothing, so they must be given. */
export const createTokenBody = Joi.object({
  ...fields,
  name: fields.name.required(),
  permissions: fields.permissions.required(),
})

/** Body of PUT /tokens/{token}: any of the fields, at least one. */
export const updateTokenBody = Joi.object(fieldSchemas(tokenFields, 'update'))
  .min(1)
  .messages({ 'object.min': 'Name at least one property to change.' })

/** Query of GET /tokens. */
export const listTokensQuery = pageQuerySchema({
  orders: Object.keys(tokenOrders),
  filters: {
    name: textFilterSchema(),
    description: textFilterSchema(),
    activated: queryBoolean(),
    tagged: taggedSchema(),
  },
})
