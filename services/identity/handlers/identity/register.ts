import type { IdentityRegister, IdentityRegisterAnswer } from '#shared/bus/messages/identity.ts'
import type { HandlerContext } from '#shared/bus/requests/responders.ts'
import { assertHashingCapacity, hashPassword } from '#shared/crypto/password.ts'
import { assertRoomInAccount, assertWithinAccount } from '#shared/data/accounts/account-limits.ts'
import { Conflict, retryOnConflict } from '#shared/data/conflict.ts'
import type { Transaction } from '#shared/data/database.ts'
import { isUniqueViolation } from '#shared/data/database-errors.ts'
import { announcing, insertEvents } from '#shared/data/events/events.ts'
import { findIdentity, insertIdentity, isIdentityTaken } from '#shared/data/identities/identities.ts'
import { identityEvent } from '#shared/data/identities/identity-event.ts'
import { ensureGroup, readGroupSettings } from '#shared/data/identities/identity-groups.ts'
import { initialValues } from '#shared/domain/fields/values.ts'
import { ownIdentityFields } from '#shared/domain/identity/fields.ts'
import { type Identity, identityNameKey } from '#shared/domain/identity/identity.ts'
import { emailKey } from '#shared/domain/user/user.ts'
import { AppError } from '#shared/errors.ts'
import type { Deps } from '../../context.ts'
import { assertGroupRules } from '../../group-rules.ts'
import { doOnce } from '../once.ts'

/**
 * Registers an identity, at its own request or that of the account, and creates its group if necessary (contract 2.5). Its id is the key of the request,
 * so that a request that is sent again finds its own identity.
 * @throws RATE_LIMIT_EXCEEDED; MAX_IDENTITIES_EXCEEDED; VALIDATION_FAILED for a password that is too short for the group; IDENTITY_EMAIL_REQUIRED;
 *   IDENTITY_UNABLE_TO_CREATE when another of the group has the name or email; SERVICE_UNAVAILABLE
 */
export function registerIdentity(
  deps: Deps,
  registration: IdentityRegister,
  context: HandlerContext,
): Promise<IdentityRegisterAnswer> {
  const { accountId } = registration
  const identityId = context.key
  return doOnce(
    () => register(deps, registration, context),
    async () => ((await findIdentity(deps.db, { accountId, identityId })) ? { identityId } : null),
  )
}

async function register(
  deps: Deps,
  { clientAddress, ...registration }: IdentityRegister,
  { requestId, key: identityId, deadline }: HandlerContext,
): Promise<IdentityRegisterAnswer> {
  assertHashingCapacity()
  const { tokenId } = registration.actor
  if (tokenId !== null && clientAddress !== undefined) deps.countRegistration({ tokenId, clientAddress })
  const { accountId, group: name, password } = registration
  assertGroupRules(registration, await readGroupSettings(deps.db, { accountId, name }))
  await assertNotTaken(deps, registration)
  await assertWithinAccount(deps.db, growthOf(registration))
  const passwordHash =
    password === null ? null : await hashPassword(password, deps.passwords, { startBefore: deadline })
  await insert(deps, registration, { identityId, passwordHash })
  deps.log('identity.registered', { requestId, accountId, identityId })
  return { identityId }
}

type Counted = { accountId: string; maxIdentities?: number | undefined }

function growthOf({ accountId, maxIdentities: max }: Counted) {
  return { accountId, limit: 'maxIdentities', added: 1, max: max ?? null } as const
}

async function assertNotTaken({ db }: Deps, { accountId, group, name, email }: IdentityRegister): Promise<void> {
  const keys = { nameKey: identityNameKey(name), emailKey: email === null ? null : emailKey(email) }
  if (await isIdentityTaken(db, { accountId, group, ...keys })) throw new AppError('IDENTITY_UNABLE_TO_CREATE')
}

/**
 * Unique keys decide between concurrent registrations: of the name, the email and the group. When neither of the first two
 * is in use it was the group, which is there now.
 */
function insert(
  deps: Deps,
  registration: IdentityRegister,
  { identityId, passwordHash }: { identityId: string; passwordHash: string | null },
): Promise<void> {
  const ids = { identity: identityId, group: deps.newId(), event: deps.newId() }
  return retryOnConflict('group', async () => {
    try {
      await announcing(deps).transaction((tx) => write(tx, registration, { ids, passwordHash }))
    } catch (error) {
      if (!isUniqueViolation(error)) throw error
      await assertNotTaken(deps, registration)
      throw new Conflict('group')
    }
  })
}

async function write(
  tx: Transaction,
  { accountId, group, actor, maxIdentities, ...registration }: IdentityRegister,
  { ids, passwordHash }: { ids: { identity: string; group: string; event: string }; passwordHash: string | null },
): Promise<void> {
  await assertRoomInAccount(tx, growthOf({ accountId, maxIdentities }))
  const now = await tx.now()
  const { id: groupId, settings } = await ensureGroup(tx, { accountId, name: group, idIfNew: ids.group })
  // They may have changed while the password was hashed.
  assertGroupRules(registration, settings)
  const { password, ...fields } = registration
  const identity: Identity = {
    ...initialValues(ownIdentityFields),
    id: ids.identity,
    accountId,
    group,
    createdAt: now,
    updatedAt: now,
    ...fields,
    hasPassword: password !== null,
  }
  await insertIdentity(tx, identity, { groupId, passwordHash })
  await insertEvents(tx, [identityEvent('identity-created', identity, { id: ids.event, actor, at: now })])
}
