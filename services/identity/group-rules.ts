import { requiresEmail } from '#shared/domain/identity/group.ts'
import type { GroupSettings } from '#shared/domain/identity/group-fields.ts'
import { passwordErrors } from '#shared/domain/identity/password.ts'
import { AppError, validationFailed } from '#shared/errors.ts'

/**
 * Checks an email and a new password against the settings of the group; an absent one is not checked.
 * @throws IDENTITY_EMAIL_REQUIRED; VALIDATION_FAILED for a password that is too short for the group
 */
export function assertGroupRules(
  { email, password }: { email?: string | null; password?: string | null },
  settings: GroupSettings,
): void {
  if (email === null && requiresEmail(settings)) throw new AppError('IDENTITY_EMAIL_REQUIRED')
  const errors =
    password === undefined || password === null ? [] : passwordErrors(password, 'password', settings.minPasswordLength)
  if (errors.length > 0) throw validationFailed(errors)
}
