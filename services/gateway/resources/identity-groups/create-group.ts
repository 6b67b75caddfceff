import { isUniqueViolation } from '#shared/data/database-errors.ts'
import { addGroup } from '#shared/data/identities/group-changes.ts'
import type { Group, GroupBody } from '#shared/domain/identity/group-fields.ts'
import { AppError } from '#shared/errors.ts'
import type { UserPrincipal } from '../../request/principal.ts'
import type { GroupDeps } from './context.ts'

/** The body of a create. */
export type NewGroup = GroupBody & { name: string }

/** Creates a group before its first registration would. @throws IDENTITY_UNABLE_TO_CREATE */
export async function createGroup(
  { db, newId }: GroupDeps,
  { principal, body }: { principal: UserPrincipal; body: NewGroup },
): Promise<Group> {
  const { accountId, actor } = principal
  const { name, ...settings } = body
  const group = { id: newId(), accountId, name, settings, actor, eventId: newId() }
  try {
    return await db.transaction((tx) => addGroup(tx, group))
  } catch (error) {
    if (!isUniqueViolation(error)) throw error
    throw new AppError('IDENTITY_UNABLE_TO_CREATE', { message: 'Another group has this name.' })
  }
}
