import { removeGroup } from '#shared/data/identities/group-changes.ts'
import { AppError, validationFailed } from '#shared/errors.ts'
import type { GroupDeps } from './context.ts'
import { type GroupRequest, getGroup } from './get-group.ts'

/**
 * Deletes a group that has no identities.
 * @throws REQUESTED_ENTITY_NOT_FOUND; VALIDATION_FAILED when it has identities
 */
export async function deleteGroup(deps: GroupDeps, request: GroupRequest): Promise<void> {
  const { accountId, actor } = request.principal
  const { id } = await getGroup(deps, request)
  const removal = { accountId, id, actor, eventId: deps.newId() }
  const outcome = await deps.db.transaction((tx) => removeGroup(tx, removal))
  if (outcome === 'gone') throw new AppError('REQUESTED_ENTITY_NOT_FOUND')
  if (outcome === 'has identities') {
    throw validationFailed([{ path: 'group', message: 'has identities; delete them first' }])
  }
}
