import { identitySessionOrders } from '#shared/data/identities/identity-session-page.ts'
import { emailSchema, newPasswordSchema } from '../../../http/body-schemas.ts'
import { joi, requireOne } from '../../../http/joi.ts'
import { pageQuerySchema } from '../../../http/page-schemas.ts'
import { exampleId, exampleTime, flag, id, objectOf, time } from '../../../http/response-schemas.ts'
import { displayNameSchema, givenPassword, identityNameSchema } from '../schemas.ts'

const changes = ['name', 'displayName', 'email', 'password']

/** Body of PUT /identities/self: any of the fields, at least one. */
export const updateSelfBody = joi
  .object({
    name: identityNameSchema(),
    displayName: displayNameSchema(),
    email: emailSchema().allow(null),
    password: newPasswordSchema(),
    currentPassword: givenPassword(),
  })
  .prints(requireOne('anyOf', changes))
  .or(...changes)
  .example({ displayName: 'Ana' })
  .messages({ 'object.missing': 'Name at least one property to change.' })

export type UpdateSelfBody = {
  name?: string
  displayName?: string
  email?: string | null
  password?: string
  currentPassword?: string
}

/** Query of GET /identities/self/sessions. */
export const listSessionsQuery = pageQuerySchema({ orders: Object.keys(identitySessionOrders), filters: {} })

/** A session of an identity. */
export const identitySessionSchema = objectOf(
  {
    ...{ id, createdAt: time, lastUsedAt: time },
    expiresAt: { ...time, description: 'When it ends unless it is used again.' },
    current: { ...flag, description: 'Whether it is that of the request.' },
  },
  {
    title: 'IdentitySession',
    examples: [
      {
        ...{ id: exampleId, createdAt: exampleTime, lastUsedAt: exampleTime },
        ...{ expiresAt: '2026-03-08T10:00:00.000Z', current: true },
      },
    ],
  },
)
