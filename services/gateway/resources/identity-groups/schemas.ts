import Joi from 'joi'
import { groupOrders } from '#shared/data/identities/identity-groups.ts'
import { defaultGroupSettings, groupFields } from '#shared/domain/identity/group-fields.ts'
import { updateSchema } from '../../http/body-schemas.ts'
import { fieldSchemas } from '../../http/field-schemas.ts'
import { filterSchemas, pageQuerySchema } from '../../http/page-schemas.ts'
import { answerOf, exampleId, exampleTime } from '../../http/response-schemas.ts'

const fields = fieldSchemas(groupFields, 'create')

/** Body of POST /identity-groups. */
export const createGroupBody = Joi.object({ ...fields, name: fields.name.required() }).example({
  name: 'staff',
  requireEmail: true,
})

/** Body of PUT /identity-groups/{group}: any of the settings, at least one. A group is never renamed. */
export const updateGroupBody = updateSchema(fieldSchemas(groupFields, 'update')).example({ sessionIdleSeconds: 3_600 })

/** Query of GET /identity-groups. */
export const listGroupsQuery = pageQuerySchema({
  orders: Object.keys(groupOrders),
  filters: filterSchemas(groupFields),
})

const { updatedAt: _set, endedCreatedAt: _began, endedLastUsedAt: _used, ...settings } = defaultGroupSettings

/** A group of identities. */
export const groupSchema = answerOf(groupFields, {
  title: 'IdentityGroup',
  description: 'A group of identities with its own settings for sign-in.',
  examples: [
    { id: exampleId, createdAt: exampleTime, updatedAt: exampleTime, name: 'staff', ...settings, requireEmail: true },
  ],
})
