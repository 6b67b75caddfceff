import { AppError } from '#shared/errors.ts'

/** Why a set-up token is not accepted; `unknown` also means that a later start has replaced it. */
export type SetupTokenError = 'unknown' | 'used' | 'expired'

/** The error for a set-up token that is not accepted (contract 2.6). Pages read `details.reason`. */
export function setupTokenInvalid(reason: SetupTokenError): AppError {
  return new AppError('IDENTITY_TOKEN_INVALID', { message: sentences[reason], details: { reason } })
}

const sentences: Record<SetupTokenError, string> = {
  unknown: 'The set-up token is not valid. Each start of listd prints a new one and invalidates the earlier ones.',
  used: 'Set-up is already done: the token works once, and only while there is no user.',
  expired: 'The set-up token has expired: it works for 30 minutes. Start listd again for a new one.',
}
