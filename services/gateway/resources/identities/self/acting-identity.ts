import { readIdentityCredential } from '#services/gateway/auth/credential.ts'
import type { ApiRequest } from '#services/gateway/request/api-request.ts'
import type { Actor } from '#shared/domain/actor.ts'
import { AppError } from '#shared/errors.ts'

/** The identity that a request acts for. */
export type ActingIdentity = {
  accountId: string
  identityId: string
  /** The hash of its session's token. */
  sessionHash: string
  actor: Actor
}

/** @throws IDENTITY_NOT_AUTHENTICATED without an identity */
export function actingIdentity({ principal, headers }: Pick<ApiRequest, 'principal' | 'headers'>): ActingIdentity {
  const sessionHash = readIdentityCredential(headers)?.tokenHash
  if (principal.mode !== 'token' || !principal.identity || !sessionHash)
    throw new AppError('IDENTITY_NOT_AUTHENTICATED')
  const { accountId, actor } = principal
  return { accountId, identityId: principal.identity.id, sessionHash, actor }
}
