import { updateSelfSchema } from '#services/gateway/schemas/body-schemas.ts'
import { pageQueryOf } from '#services/gateway/schemas/page-schemas.ts'
import { flag, objectOf, stamps, time } from '#services/gateway/schemas/response-schemas.ts'
import { identitySessionOrders } from '#shared/data/identities/identity-session-page.ts'
import { ruledFields } from '../schemas.ts'

/** Body of PUT /identities/self. */
export const updateSelfBody = updateSelfSchema<UpdateSelfBody>(ruledFields)

export type UpdateSelfBody = {
  name?: string
  displayName?: string
  email?: string | null
  password?: string
  currentPassword?: string
}

/** Query of GET /identities/self/sessions. */
export const listSessionsQuery = pageQueryOf(identitySessionOrders, {})

/** A session of an identity. */
export const identitySessionSchema = objectOf(
  {
    id: stamps.id,
    createdAt: stamps.createdAt,
    lastUsedAt: { ...time, description: 'The last use of the session.' },
    expiresAt: { ...time, description: 'The end of the session, unless it is used again.' },
    current: { ...flag, description: 'Whether the request was sent with this session.' },
  },
  {
    title: 'IdentitySession',
    description: 'A session of an identity.',
  },
)
