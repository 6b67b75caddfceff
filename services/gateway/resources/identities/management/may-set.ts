import type { AuthenticatedPrincipal } from '#services/gateway/request/principal.ts'
import type { IdentityBody } from '#shared/domain/identity/change.ts'
import { validationFailed } from '#shared/errors.ts'

/**
 * Rejects a token that sets `emailVerified`: verification has a permission of its own, which `update` does not imply.
 * @throws VALIDATION_FAILED
 */
export function assertMaySet({ mode }: AuthenticatedPrincipal, { emailVerified }: IdentityBody): void {
  if (mode === 'user' || emailVerified === undefined) return
  throw validationFailed([{ path: 'emailVerified', message: 'can be set in user mode only' }])
}
