import { findGroup } from '#shared/data/identities/identity-groups.ts'
import { isGroupName } from '#shared/domain/group-name.ts'
import { isId } from '#shared/domain/id.ts'
import type { Group } from '#shared/domain/identity/group-fields.ts'
import { AppError } from '#shared/errors.ts'
import type { UserPrincipal } from '../../request/principal.ts'
import type { GroupDeps } from './context.ts'

/** The group of a request, by id or name. */
export type GroupRequest = { principal: UserPrincipal; group: string }

/** @throws REQUESTED_ENTITY_NOT_FOUND */
export async function getGroup({ db }: Pick<GroupDeps, 'db'>, { principal, group: ref }: GroupRequest): Promise<Group> {
  const isRef = isId(ref) || isGroupName(ref)
  const group = isRef ? await findGroup(db, principal.accountId, ref) : null
  if (!group) throw new AppError('REQUESTED_ENTITY_NOT_FOUND')
  return group
}
