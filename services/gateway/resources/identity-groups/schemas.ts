import { groupOrders } from '#shared/data/identities/identity-groups.ts'
import { type GroupBody, groupFields } from '#shared/domain/identity/group-fields.ts'
import { newGroupSchema, updateSchema } from '../../schemas/body-schemas.ts'
import { fieldSchemas } from '../../schemas/field-schemas.ts'
import { joi } from '../../schemas/joi.ts'
import { pageQueryOf } from '../../schemas/page-schemas.ts'
import { answerOf } from '../../schemas/response-schemas.ts'
import type { NewGroup } from './groups.ts'

/** Body of POST /identity-groups. */
export const createGroupBody = joi.object<NewGroup>({
  ...fieldSchemas(groupFields, 'create'),
  name: newGroupSchema().required().description(groupFields.name.about),
})

/** Body of PUT /identity-groups/{group}: any of the settings, at least one. A group is never renamed. */
export const updateGroupBody = updateSchema<GroupBody>(fieldSchemas(groupFields, 'update'))

/** Query of GET /identity-groups. */
export const listGroupsQuery = pageQueryOf(groupOrders, groupFields)

/** A group of identities. */
export const groupSchema = answerOf(groupFields, {
  title: 'IdentityGroup',
  description: 'A group of identities with its own settings for sign-in.',
})
