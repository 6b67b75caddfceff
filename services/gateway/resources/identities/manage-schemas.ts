import Joi from 'joi'
import { identityOrders } from '#shared/data/identities/columns.ts'
import { identityFields, ownIdentityFields } from '#shared/domain/identity/fields.ts'
import { emailSchema, newPasswordSchema, updateSchema } from '../../http/body-schemas.ts'
import { fieldSchemas } from '../../http/field-schemas.ts'
import { filterSchemas, pageQuerySchema } from '../../http/page-schemas.ts'
import { displayNameSchema, identityNameSchema } from './schemas.ts'

/** Names and addresses have rules of their own; a password is no field of the answer. */
const ruled = {
  name: identityNameSchema(),
  displayName: displayNameSchema(),
  email: emailSchema().allow(null),
  password: newPasswordSchema(),
}

/** Body of POST /identities. */
export const createIdentityBody = Joi.object({
  ...fieldSchemas(ownIdentityFields, 'create'),
  ...ruled,
  name: ruled.name.required(),
}).example({ group: 'staff', name: 'ana', email: 'ana@listd.example' })

/** Body of PUT /identities/{identity}: any of the fields but the group, at least one. */
export const updateIdentityBody = updateSchema({ ...fieldSchemas(ownIdentityFields, 'update'), ...ruled }).example({
  activated: false,
})

/** Query of GET /identities. */
export const listIdentitiesQuery = pageQuerySchema({
  orders: Object.keys(identityOrders),
  filters: filterSchemas(identityFields),
})
