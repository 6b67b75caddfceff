import { insertEvents } from '#shared/data/events/events.ts'
import { deleteEmptyGroup, lockGroup } from '#shared/data/identities/identity-groups.ts'
import { AppError, validationFailed } from '#shared/errors.ts'
import type { GroupDeps } from './context.ts'
import { type GroupRequest, getGroup } from './get-group.ts'
import { groupEvent } from './group-event.ts'

/**
 * Deletes a group that has no identities: those that it has would look ungrouped, and could have names that are taken there.
 * @throws REQUESTED_ENTITY_NOT_FOUND; VALIDATION_FAILED when it has identities
 */
export async function deleteGroup(deps: GroupDeps, request: GroupRequest): Promise<void> {
  const { accountId, actor } = request.principal
  const { id } = await getGroup(deps, request)
  const eventId = deps.newId()
  await deps.db.transaction(async (tx) => {
    const group = await lockGroup(tx, { accountId, id })
    if (!group) throw new AppError('REQUESTED_ENTITY_NOT_FOUND')
    if (!(await deleteEmptyGroup(tx, group))) {
      throw validationFailed([{ path: 'group', message: 'has identities; delete them first' }])
    }
    const at = await tx.now()
    await insertEvents(tx, [groupEvent('identity-group-deleted', group, { id: eventId, actor, at })])
  })
}
