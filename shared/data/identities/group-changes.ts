import type { Actor } from '#shared/domain/actor.ts'
import { changedGroup } from '#shared/domain/identity/group.ts'
import { type Group, type GroupBody, newGroup, toGroupJson } from '#shared/domain/identity/group-fields.ts'
import type { Transaction } from '../database.ts'
import { insertEvents, type LoggedEvent } from '../events/events.ts'
import { deleteEmptyGroup, insertGroup, lockGroup, updateGroup } from './identity-groups.ts'

/** The author of a change of a group; `actor` null: the operator, on the command line. */
type By = { actor: Actor | null; eventId: string }

type GroupAt = { accountId: string; id: string }

/**
 * Creates a group before its first registration would, and writes the event.
 * @throws the database's unique violation (`isUniqueViolation`) when another group of the account has its name
 */
export async function addGroup(
  tx: Transaction,
  { settings, actor, eventId, ...of }: GroupAt & By & { name: string; settings: GroupBody },
): Promise<Group> {
  const at = await tx.now()
  const group = newGroup(of, settings, at)
  await insertGroup(tx, group)
  await insertEvents(tx, [groupEvent('identity-group-created', group, { id: eventId, actor, at })])
  return group
}

/** Changes settings of a group and writes the event. @returns null if it was deleted */
export async function changeGroup(
  tx: Transaction,
  { settings, actor, eventId, ...key }: GroupAt & By & { settings: GroupBody },
): Promise<Group | null> {
  const before = await lockGroup(tx, key)
  if (!before) return null
  const at = await tx.now()
  const after = changedGroup(before, settings, at)
  await updateGroup(tx, after)
  await insertEvents(tx, [groupEvent('identity-group-updated', after, { id: eventId, actor, at })])
  return after
}

/**
 * Deletes a group that has no identities, and writes the event. Identities of a deleted group would look ungrouped, and their names could
 * conflict there.
 */
export async function removeGroup(
  tx: Transaction,
  { actor, eventId, ...key }: GroupAt & By,
): Promise<'deleted' | 'has identities' | 'gone'> {
  const group = await lockGroup(tx, key)
  if (!group) return 'gone'
  if (!(await deleteEmptyGroup(tx, group))) return 'has identities'
  const at = await tx.now()
  await insertEvents(tx, [groupEvent('identity-group-deleted', group, { id: eventId, actor, at })])
  return 'deleted'
}

/** The event log's entry for a change of a group, in the stream of identities. */
function groupEvent(
  type: 'identity-group-created' | 'identity-group-updated' | 'identity-group-deleted',
  group: Group,
  { id, actor, at }: { id: string; actor: Actor | null; at: number },
): LoggedEvent {
  return {
    id,
    accountId: group.accountId,
    createdAt: at,
    stream: 'identity',
    type,
    modelId: group.id,
    listId: null,
    actor,
    snapshot: JSON.stringify(toGroupJson(group)),
  }
}
