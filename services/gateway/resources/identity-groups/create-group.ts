import { isUniqueViolation } from '#shared/data/database-errors.ts'
import { insertEvents } from '#shared/data/events/events.ts'
import { insertGroup } from '#shared/data/identities/identity-groups.ts'
import { type Group, type GroupBody, newGroup } from '#shared/domain/identity/group-fields.ts'
import { AppError } from '#shared/errors.ts'
import type { UserPrincipal } from '../../request/principal.ts'
import type { GroupDeps } from './context.ts'
import { groupEvent } from './group-event.ts'

/** The body of a create. */
export type NewGroup = GroupBody & { name: string }

/** Creates a group before its first registration would. @throws IDENTITY_UNABLE_TO_CREATE */
export async function createGroup(
  { db, newId }: GroupDeps,
  { principal, body }: { principal: UserPrincipal; body: NewGroup },
): Promise<Group> {
  const { accountId, actor } = principal
  const { name, ...settings } = body
  const ids = { group: newId(), event: newId() }
  try {
    return await db.transaction(async (tx) => {
      const at = await tx.now()
      const group = newGroup({ id: ids.group, accountId, name }, settings, at)
      await insertGroup(tx, group)
      await insertEvents(tx, [groupEvent('identity-group-created', group, { id: ids.event, actor, at })])
      return group
    })
  } catch (error) {
    if (!isUniqueViolation(error)) throw error
    throw new AppError('IDENTITY_UNABLE_TO_CREATE', { message: 'Another group has this name.' })
  }
}
