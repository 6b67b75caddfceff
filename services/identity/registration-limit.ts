import { createAddressLimit } from '#shared/admission/address-limit.ts'
import { createMinuteLimit, type MinuteLimitOptions } from '#shared/admission/minute-limit.ts'
import { AppError } from '#shared/errors.ts'

/** Who registers an identity: an API token, which may be public, and the client that uses it. */
export type Registrant = { tokenId: string; clientAddress: string }

/**
 * Counts registrations with API tokens, before anything is hashed.
 * @throws RATE_LIMIT_EXCEEDED with the wait, past the limit of the client's address or of the token
 */
export type CountRegistration = (by: Registrant) => void

/**
 * A registration over the limit of its address does not count for the token: no address can use up the share of the others. The token's limit
 * bounds a client that has many addresses.
 * @param options.limits registrations a minute; 0: any number
 */
export function createRegistrationLimit({
  limits,
  ...options
}: Omit<MinuteLimitOptions, 'perMinute'> & {
  limits: { perAddressAndMinute: number; perTokenAndMinute: number }
}): CountRegistration {
  const addresses = createAddressLimit({ ...options, perMinute: limits.perAddressAndMinute || Infinity })
  const tokens = createMinuteLimit({ ...options, perMinute: limits.perTokenAndMinute || Infinity })

  return ({ tokenId, clientAddress }) => {
    assertNoWait(addresses.count(clientAddress), 'from this address')
    const waitMs = tokens.count(tokenId)
    if (waitMs > 0) addresses.refund(clientAddress)
    assertNoWait(waitMs, 'with this API token')
  }
}

function assertNoWait(waitMs: number, whose: string): void {
  if (waitMs <= 0) return
  const message = `Too many registrations ${whose}; try again later.`
  throw new AppError('RATE_LIMIT_EXCEEDED', { message, retryAfterSeconds: Math.ceil(waitMs / 1000) })
}
