import packageFile from '#package.json' with { type: 'json' }
import type { Account } from '#shared/data/accounts/accounts.ts'
import type { OwnSession } from '#shared/data/users/sessions.ts'
import { isoTime } from '#shared/domain/text/iso-time.ts'
import { toUserJson } from '#shared/domain/user/fields.ts'
import type { UserPrincipal } from '../../request/principal.ts'
import { toPlanJson } from '../tokens/plan.ts'
import { readUsage } from '../tokens/usage.ts'
import type { AccountDeps } from './context.ts'
import type { SignedIn } from './own-user.ts'

/** The user and the account on the wire. */
export function toUserAndAccountJson({ user, account }: SignedIn) {
  return { user: toUserJson(user), account: toAccountJson(account) }
}

/** The same with the price plan and its use, and the version of the service. */
export async function toSignedInJson(signedIn: SignedIn, deps: AccountDeps, principal: UserPrincipal) {
  const plan = toPlanJson(deps.config, signedIn.account.plan)
  const usage = await readUsage(deps, principal)
  return { ...toUserAndAccountJson(signedIn), plan, usage, version: packageFile.version }
}

function toAccountJson({ id, createdAt, updatedAt, name, plan }: Account) {
  return { id, createdAt: isoTime(createdAt), updatedAt: isoTime(updatedAt), name, plan }
}

/** A session of a user on the wire. @param currentId the session of the request */
export function toSessionJson({ id, createdAt, expiresAt }: OwnSession, currentId: string) {
  return { id, createdAt: isoTime(createdAt), expiresAt: isoTime(expiresAt), current: id === currentId }
}
