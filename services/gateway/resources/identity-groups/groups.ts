import { isUniqueViolation } from '#shared/data/database-errors.ts'
import { announcing } from '#shared/data/events/events.ts'
import { addGroup, changeGroup, removeGroup } from '#shared/data/identities/group-changes.ts'
import { findGroup } from '#shared/data/identities/identity-groups.ts'
import { isGroupName } from '#shared/domain/group-name.ts'
import { isId } from '#shared/domain/id.ts'
import type { Group, GroupBody } from '#shared/domain/identity/group-fields.ts'
import { AppError, validationFailed } from '#shared/errors.ts'
import { revokeGroup } from '../../auth/revocation.ts'
import type { UserPrincipal } from '../../request/principal.ts'
import type { GroupDeps } from './context.ts'

/** The group of a request, by id or name. */
type GroupRequest = { principal: UserPrincipal; group: string }

/** @throws REQUESTED_ENTITY_NOT_FOUND */
export async function getGroup({ db }: Pick<GroupDeps, 'db'>, { principal, group: ref }: GroupRequest): Promise<Group> {
  const isRef = isId(ref) || isGroupName(ref)
  const group = isRef ? await findGroup(db, principal.accountId, ref) : null
  if (!group) throw new AppError('REQUESTED_ENTITY_NOT_FOUND')
  return group
}

/** The body of a create. */
export type NewGroup = GroupBody & { name: string }

/** Creates a group before its first registration would. @throws IDENTITY_UNABLE_TO_CREATE */
export async function createGroup(
  deps: GroupDeps,
  { principal, body }: { principal: UserPrincipal; body: NewGroup },
): Promise<Group> {
  const { accountId, actor } = principal
  const { name, ...settings } = body
  const group = { id: deps.newId(), accountId, name, settings, actor, eventId: deps.newId() }
  try {
    return await announcing(deps).transaction((tx) => addGroup(tx, group))
  } catch (error) {
    if (!isUniqueViolation(error)) throw error
    throw new AppError('IDENTITY_UNABLE_TO_CREATE', { message: 'Another group has this name.' })
  }
}

/**
 * Changes settings of a group. They apply to existing sessions, but restore none that has ended: on this gateway before the
 * response, on others when they receive the message or, without it, when their caches expire.
 * @throws REQUESTED_ENTITY_NOT_FOUND
 */
export async function updateGroup(
  deps: GroupDeps,
  { settings, ...request }: GroupRequest & { settings: GroupBody },
): Promise<Group> {
  const { accountId, actor } = request.principal
  const { id, name } = await getGroup(deps, request)
  const change = { accountId, id, settings, actor, eventId: deps.newId() }
  const group = await announcing(deps).transaction((tx) => changeGroup(tx, change))
  if (!group) throw new AppError('REQUESTED_ENTITY_NOT_FOUND')
  revokeGroup(deps, { accountId, group: name })
  return group
}

/**
 * Deletes a group that has no identities.
 * @throws REQUESTED_ENTITY_NOT_FOUND; VALIDATION_FAILED when it has identities
 */
export async function deleteGroup(deps: GroupDeps, request: GroupRequest): Promise<void> {
  const { accountId, actor } = request.principal
  const { id } = await getGroup(deps, request)
  const removal = { accountId, id, actor, eventId: deps.newId() }
  const outcome = await announcing(deps).transaction((tx) => removeGroup(tx, removal))
  if (outcome === 'gone') throw new AppError('REQUESTED_ENTITY_NOT_FOUND')
  if (outcome === 'has identities') {
    throw validationFailed([{ path: 'group', message: 'has identities; delete them first' }])
  }
}
