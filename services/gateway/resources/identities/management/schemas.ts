import Joi from 'joi'
import { identityOrders } from '#shared/data/identities/columns.ts'
import { identityFields, ownIdentityFields } from '#shared/domain/identity/fields.ts'
import { updateSchema } from '../../../schemas/body-schemas.ts'
import { fieldSchemas } from '../../../schemas/field-schemas.ts'
import { filterSchemas, pageQuerySchema } from '../../../schemas/page-schemas.ts'
import { ruledFields } from '../schemas.ts'

/** Body of POST /identities. */
export const createIdentityBody = Joi.object({
  ...fieldSchemas(ownIdentityFields, 'create'),
  ...ruledFields,
  name: ruledFields.name.required(),
})

/** Body of PUT /identities/{identity}: any of the fields but the group, at least one. */
export const updateIdentityBody = updateSchema({
  ...fieldSchemas(ownIdentityFields, 'update'),
  ...ruledFields,
})

/** Query of GET /identities. */
export const listIdentitiesQuery = pageQuerySchema({
  orders: Object.keys(identityOrders),
  filters: filterSchemas(identityFields),
})
