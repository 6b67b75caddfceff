import { newGroupSchema, updateSchema } from '#services/gateway/schemas/body-schemas.ts'
import { fieldSchemas } from '#services/gateway/schemas/field-schemas.ts'
import { joi } from '#services/gateway/schemas/joi.ts'
import { pageQueryOf } from '#services/gateway/schemas/page-schemas.ts'
import { identityOrders } from '#shared/data/identities/columns.ts'
import { identityFields, ownIdentityFields } from '#shared/domain/identity/fields.ts'
import { ruledFields } from '../schemas.ts'
import type { NewIdentity } from './create-identity.ts'
import type { IdentityUpdate } from './update-identity.ts'

/** Body of POST /identities. */
export const createIdentityBody = joi.object<NewIdentity>({
  ...fieldSchemas(ownIdentityFields, 'create'),
  ...ruledFields,
  name: ruledFields.name.required(),
  group: newGroupSchema().allow(null).description(ownIdentityFields.group.about),
})

/** Body of PUT /identities/{identity}: any of the fields but the group, at least one. */
export const updateIdentityBody = updateSchema<IdentityUpdate>({
  ...fieldSchemas(ownIdentityFields, 'update'),
  ...ruledFields,
})

/** Query of GET /identities. */
export const listIdentitiesQuery = pageQueryOf(identityOrders, identityFields)
