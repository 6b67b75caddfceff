import type { AuthenticatedPrincipal } from '#services/gateway/request/principal.ts'
import { aliasAt } from '#shared/domain/item/index-value.ts'
import type { Item } from '#shared/domain/item/item.ts'
import { AppError, validationFailed } from '#shared/errors.ts'
import { dataPath } from '#shared/json/pointer.ts'
import type { ListConfig } from '../../lists/list-cache.ts'
import type { ItemDeps } from '../context.ts'
import { assertActionAllowed, assertAliasesBuilt } from '../reading/load-item.ts'
import type { ItemMutation } from '../writing/commit-item.ts'
import { computeCreation } from '../writing/create-item.ts'
import { assertChangeAllowed } from '../writing/modify-item.ts'
import { computeUpdate } from '../writing/update-item.ts'
import type { BatchOperation } from './batch-body.ts'

/**
 * Receives an item, or the alias of one that is to be created.
 * @throws VALIDATION_FAILED when an earlier operation names it too
 */
export type NameItem = (item: Pick<Item, 'id'> | { alias: string }) => void

type Put = {
  operation: Extract<BatchOperation, { op: 'put' }>
  /** The item with the alias. */
  present: Item | null
  principal: AuthenticatedPrincipal
  name: NameItem
}

/**
 * Creates the item with an alias, or changes it as an update does. The alias of an item that the principal may not know of counts as in
 * use: the commit of the new item reports it.
 * @throws the errors of `computeCreation` and `computeUpdate`, TOKEN_NOT_AUTHORIZED, VALIDATION_FAILED
 */
export async function computePut(
  deps: ItemDeps,
  config: ListConfig,
  { operation, present, principal, name }: Put,
): Promise<ItemMutation> {
  assertPutsAlias(config, operation)
  if (!present) await assertAliasesBuilt(deps, config, principal)
  if (!present || !mayKnow(config, present, principal)) {
    name({ alias: operation.item })
    return computeCreation(deps, config, { ...operation, principal })
  }
  name(present)
  assertChangeAllowed(config, present, { principal })
  return computeUpdate(deps, config, { ...operation, before: present, principal })
}

/** @throws VALIDATION_FAILED unless the data has the alias that the operation names */
function assertPutsAlias({ aliasIndex }: ListConfig, { item, body }: Put['operation']): void {
  if (!aliasIndex) throw validationFailed([{ path: 'item', message: 'is an alias, and the list has no alias index' }])
  const alias = aliasAt(aliasIndex, body.data)
  if (alias === item) return
  const message = `must be the alias that "item" names${alias === null ? '' : `, not ${JSON.stringify(alias)}`}`
  throw validationFailed([{ path: dataPath(aliasIndex.pointer), message }])
}

/** @throws TOKEN_NOT_AUTHORIZED for an item that the principal sees and may not update */
function mayKnow(config: ListConfig, item: Item, principal: AuthenticatedPrincipal): boolean {
  try {
    assertActionAllowed(item, config, { principal, action: 'update' })
    return true
  } catch (error) {
    if (error instanceof AppError && error.name === 'REQUESTED_ENTITY_NOT_FOUND') return false
    throw error
  }
}
