import { stringify } from '#client/src/json.ts'
import type { Item as ItemJson } from '#client/src/types/resources.ts'
import type { Grant } from '#shared/domain/access/permissions.ts'
import type { Thing } from '#shared/domain/access/verdict.ts'
import { initialValues } from '#shared/domain/fields/values.ts'
import { itemFields } from '#shared/domain/item/fields.ts'
import type { Item } from '#shared/domain/item/item.ts'
import { holdsFor, type RuledList } from '#shared/domain/item-rules/bound-rules.ts'
import { changesBetween, type ItemChanges } from '#shared/domain/item-rules/item-changes.ts'
import { viewedItems } from '#shared/domain/item-rules/item-sets.ts'
import type { TriedStates } from './conditions-met.ts'

/** An item in the form that rules need. */
export function toItem(item: ItemJson<unknown>, listId: string): Item {
  const times = { createdAt: Date.parse(item.createdAt), updatedAt: Date.parse(item.updatedAt) }
  return {
    ...initialValues(itemFields),
    ...item,
    ...times,
    accountId: '',
    listId,
    data: stringify(item.data) ?? 'null',
  } as Item
}

/** A new item with this data, as a call of this grant would create it. */
export function newItem(data: string, { identity, askedAt = 0 }: Grant, listId: string): Item {
  const owner = identity && { id: identity.id, displayName: '' }
  const times = { createdAt: askedAt, updatedAt: askedAt }
  return {
    ...initialValues(itemFields),
    ...times,
    id: '',
    accountId: '',
    listId,
    data,
    size: data.length,
    identity: owner,
  } as Item
}

/** The states of an item that the rules check, and the changes of an update. @param data of the item after the update; null: not known */
export function statesOf(
  list: RuledList,
  item: Item,
  { data, grant }: { data: string | null; grant: Grant },
): TriedStates {
  if (data === null) return { before: { list, item } }
  const after = { ...item, data }
  return { before: { list, item }, after: { list, item: after }, changes: changed(item, after, grant) }
}

/** An item that a call creates has only one state. */
export const createdOf = (item: Item, list: RuledList): TriedStates => ({ before: { list, item } })

function changed(before: Item, after: Item, { permissions }: Grant): ItemChanges {
  const steps = changesBetween(
    before,
    after,
    permissions.rules.flatMap(({ conditions }) => conditions?.changes ?? []),
  )
  for (;;) {
    const step = steps.next()
    if (step.done) return step.value
  }
}

/** The thing that a call is about, with the results of the conditions of rules. */
export function withConditions(thing: Thing, grant: Grant, list: RuledList, states: TriedStates | null): Thing {
  const known = {
    ...thing,
    ...(thing.list && { list: { ...thing.list, hasPage: viewedItems(grant, list) !== false } }),
  }
  if (!states) return known
  const { before, after, changes } = states
  const { id, activated, identity } = before.item
  const asked = changes ? { changes } : {}
  const item = {
    id,
    activated,
    ownerId: identity?.id ?? null,
    holds: holdsFor(grant, before),
    // For a create, the state afterwards is the new item.
    ...(!after && { after: holdsFor(grant, before) }),
    ...(after && {
      before: holdsFor(grant, { ...before, ...asked }),
      after: holdsFor(grant, { ...after, ...asked, isAfter: true }),
    }),
  }
  return { ...known, item }
}
