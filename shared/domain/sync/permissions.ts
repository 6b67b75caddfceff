import type { Permissions } from '../access/compiled-rules.ts'
import type { Action, ResourceType } from '../access/permission-rule.ts'
import { decide } from '../access/permissions.ts'
import type { Change, ChangeAction } from './change.ts'
import type { SyncPlan } from './schema-sync.ts'
import { isWrite } from './writes.ts'

/** A permission that a token lacks, as in `details.missing` of the 403 (contract 2.4). */
type MissingPermission = { action: Action; resourceType: ResourceType; list: string; index?: string }

/**
 * The permissions a token lacks for a plan: `sync-schema` on every list that the document names, which is enough for a dry
 * run, and to apply it the permission for each change as well. A list that does not exist yet is selected only by rules that
 * select all lists. A schema validates guarded values too: to set one on a list with guard indexes, a token must be allowed
 * to change those. It yields after each change: a token may have many rules.
 */
export function* missingPermissions(
  plan: SyncPlan,
  permissions: Permissions,
  { applying }: { applying: boolean },
): Generator<undefined, MissingPermission[]> {
  const missing: MissingPermission[] = []
  const guarded = new Set(plan.lists.filter((list) => list.guarded).map(({ change }) => change))
  for (const change of plan.changes) {
    const required: MissingPermission[] = change.resourceType === 'list' ? [need('sync-schema', change)] : []
    if (applying && isWrite(change)) required.push(need(writeActions[change.action] ?? 'update', change))
    if (applying && guarded.has(change) && change.fields?.schema) {
      required.push({ action: 'update', resourceType: 'index', list: change.list })
    }
    for (const permission of required) {
      if (!decide(permissions, { ...permission, ...idsOf(change) }).allowed) missing.push(permission)
    }
    yield
  }
  return missing
}

const writeActions: { [action in ChangeAction]?: Action } = { create: 'create', delete: 'delete' }

function need(action: Action, { resourceType, list, index }: Change): MissingPermission {
  return { action, resourceType, list, ...(index !== undefined && { index }) }
}

function idsOf({ listId, indexId }: Change): { listId: string | undefined; indexId: string | undefined } {
  return { listId, indexId }
}
