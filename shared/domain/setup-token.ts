import { AppError } from '#shared/errors.ts'

/** Why a set-up token sets nothing up; `unknown` is also one that a later start has replaced. */
export type SetupTokenError = 'unknown' | 'used' | 'expired'

/** What whoever shows a set-up token that is not good is told (contract 2.6). `details.reason` is for pages to go by. */
export function setupTokenInvalid(reason: SetupTokenError): AppError {
  return new AppError('IDENTITY_TOKEN_INVALID', { message: sentences[reason], details: { reason } })
}

const sentences: Record<SetupTokenError, string> = {
  unknown: 'The set-up token is not valid. Each start of listd prints a new one, which ends those before it.',
  used: 'Set-up has been done already: the token works once, and only while there is no user.',
  expired: 'The set-up token has expired: it works for 30 minutes. Start listd again for a new one.',
}
