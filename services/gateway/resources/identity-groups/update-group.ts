import { insertEvents } from '#shared/data/events/events.ts'
import { lockGroup, updateGroup as writeGroup } from '#shared/data/identities/identity-groups.ts'
import { changedGroup } from '#shared/domain/identity/group.ts'
import type { Group, GroupBody } from '#shared/domain/identity/group-fields.ts'
import { AppError } from '#shared/errors.ts'
import { revokeGroup } from '../../auth/revocation.ts'
import type { GroupDeps } from './context.ts'
import { type GroupRequest, getGroup } from './get-group.ts'
import { groupEvent } from './group-event.ts'

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
  const eventId = deps.newId()
  const group = await deps.db.transaction(async (tx) => {
    const before = await lockGroup(tx, { accountId, id })
    if (!before) throw new AppError('REQUESTED_ENTITY_NOT_FOUND')
    const at = await tx.now()
    const after = changedGroup(before, settings, at)
    await writeGroup(tx, after)
    await insertEvents(tx, [groupEvent('identity-group-updated', after, { id: eventId, actor, at })])
    return after
  })
  revokeGroup(deps, { accountId, group: name })
  return group
}
