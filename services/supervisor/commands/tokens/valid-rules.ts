import type { Transaction } from '#shared/data/database.ts'
import { resolveRules } from '#shared/data/tokens/rule-lists.ts'
import { type PermissionRule, permissionErrors } from '#shared/domain/access/permission-rule.ts'
import type { TokenRules } from '#shared/domain/item-rules/stored-rules.ts'
import { AppError, type FieldError } from '#shared/errors.ts'
import { throwIfInvalid } from '../throw-if-invalid.ts'

/**
 * Validates the rules of an operator, as far as possible without the lists.
 * @param path the name of the rules in errors
 * @throws Error with a sentence that names every error
 */
export function validRules(value: unknown, path: string): PermissionRule[] {
  throwIfInvalid(permissionErrors(value, path))
  return value as PermissionRule[]
}

/**
 * The same rules in their stored form (`resolveRules`).
 * @throws Error with a sentence that names every missing list, and every condition that is not possible
 */
export async function resolvedRules(
  tx: Transaction,
  { accountId, rules, path }: { accountId: string; rules: readonly PermissionRule[]; path: string },
): Promise<TokenRules> {
  return resolveRules(tx, { accountId, rules }).catch((error: unknown) => {
    if (error instanceof AppError && error.name === 'VALIDATION_FAILED') {
      const errors = (error.details?.errors ?? []) as FieldError[]
      throwIfInvalid(errors.map((one) => ({ ...one, path: one.path.replace(/^permissions/, path) })))
    }
    throw error
  })
}
