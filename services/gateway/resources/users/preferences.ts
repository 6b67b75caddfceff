import { findPreferences, replacePreferences } from '#shared/data/users/preferences.ts'
import { AppError, validationFailed } from '#shared/errors.ts'
import { isObject } from '#shared/json/is-object.ts'
import type { UserPrincipal } from '../../request/principal.ts'
import type { AccountDeps } from './context.ts'

/** The preferences of the user, as JSON text. @throws USER_NOT_AUTHENTICATED when the user no longer exists */
export async function getPreferences({ db }: Pick<AccountDeps, 'db'>, principal: UserPrincipal): Promise<string> {
  const text = await findPreferences(db, principal)
  if (text === null) throw new AppError('USER_NOT_AUTHENTICATED')
  return text
}

/**
 * Replaces the preferences of the user. The text is stored as it was sent, without its white space, so numbers keep their digits.
 * @returns the text
 * @throws VALIDATION_FAILED for anything but an object; USER_NOT_AUTHENTICATED when the user no longer exists
 */
export async function putPreferences(
  { db }: Pick<AccountDeps, 'db'>,
  { principal, body, text }: { principal: UserPrincipal; body: unknown; text: string },
): Promise<string> {
  if (!isObject(body)) throw validationFailed([{ path: 'body', message: 'must be a JSON object' }])
  const { accountId, userId } = principal
  if (!(await replacePreferences(db, { accountId, userId, text }))) throw new AppError('USER_NOT_AUTHENTICATED')
  return text
}
