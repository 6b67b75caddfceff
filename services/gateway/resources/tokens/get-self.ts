import { findAccount } from '#shared/data/accounts/accounts.ts'
import { findToken } from '#shared/data/tokens/tokens.ts'
import { toTokenJson } from '#shared/domain/token/fields.ts'
import { AppError } from '#shared/errors.ts'
import type { AuthenticatedPrincipal } from '../../request/principal.ts'
import type { TokenDeps } from './context.ts'
import { toPlanJson } from './plan.ts'
import { readUsage } from './usage.ts'

/**
 * The token of the request, and the account's price plan with its use (contract 2.6).
 * @throws REQUESTED_ENTITY_NOT_FOUND in user mode, where there is no token; USER_NOT_AUTHENTICATED when the token was deleted
 */
export async function getOwnToken(deps: TokenDeps, principal: AuthenticatedPrincipal) {
  const { db, config } = deps
  if (principal.mode === 'user') throw new AppError('REQUESTED_ENTITY_NOT_FOUND')
  const { accountId, tokenId } = principal
  const [token, account, usage] = await Promise.all([
    findToken(db, { accountId, tokenId }),
    findAccount(db, accountId),
    readUsage(deps, principal),
  ])
  if (!token || !account) throw new AppError('USER_NOT_AUTHENTICATED')
  return { token: toTokenJson(token), plan: toPlanJson(config, account.plan), usage }
}
