import { changeGroup } from '#shared/data/identities/group-changes.ts'
import type { Group, GroupBody } from '#shared/domain/identity/group-fields.ts'
import { AppError } from '#shared/errors.ts'
import { revokeGroup } from '../../auth/revocation.ts'
import type { GroupDeps } from './context.ts'
import { type GroupRequest, getGroup } from './get-group.ts'

/**
 * Changes settings of a group. They apply to sessions that exist already, and revive none that has ended: on this gateway
 * before the response, on others by the message or, without it, when their caches expire.
 * @throws REQUESTED_ENTITY_NOT_FOUND
 */
export async function updateGroup(
  deps: GroupDeps,
  { settings, ...request }: GroupRequest & { settings: GroupBody },
): Promise<Group> {
  const { accountId, actor } = request.principal
  const { id, name } = await getGroup(deps, request)
  const change = { accountId, id, settings, actor, eventId: deps.newId() }
  const group = await deps.db.transaction((tx) => changeGroup(tx, change))
  if (!group) throw new AppError('REQUESTED_ENTITY_NOT_FOUND')
  revokeGroup(deps, { accountId, group: name })
  return group
}
