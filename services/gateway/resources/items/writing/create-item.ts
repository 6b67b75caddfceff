import { authorize } from '#services/gateway/auth/authorize.ts'
import { requestInAdvance } from '#services/gateway/auth/item-states.ts'
import type { AuthenticatedPrincipal } from '#services/gateway/request/principal.ts'
import { timeOfId } from '#shared/domain/id.ts'
import type { ItemBody } from '#shared/domain/item/fields.ts'
import type { Item } from '#shared/domain/item/item.ts'
import { newItem } from '#shared/domain/item/new-item.ts'
import { AppError } from '#shared/errors.ts'
import { canonicalJson } from '#shared/json/canonical.ts'
import type { ListConfig } from '../../lists/list-cache.ts'
import { withList } from '../../lists/with-list.ts'
import type { ItemDeps, ItemResult } from '../context.ts'
import { assertVisibleList } from '../reading/load-item.ts'
import { type Author, commitItem, type ItemMutation } from './commit-item.ts'
import { findRepeatedRequest } from './idempotent-request.ts'
import { validateItemData } from './validate-item-data.ts'
import { writtenItem } from './written-item.ts'

type Creation = Author & {
  list: string
  body: ItemBody
  /** Compact source text of `body.data`; without it the item holds null. */
  dataText: string | undefined
  idempotencyKey: string | undefined
}

/** `isRepeated`: the same request was sent before, and created the item. */
type Created = ItemResult & { isRepeated: boolean }

/**
 * Creates an item (contract 2.2). The identity that creates it owns it.
 * @throws REQUESTED_ENTITY_NOT_FOUND, TOKEN_NOT_AUTHORIZED, LIST_READONLY, the errors of `validateItemData`, ITEM_ALIAS_TAKEN,
 *   IDEMPOTENCY_KEY_REUSED, SERVICE_UNAVAILABLE
 */
export function createItem(deps: ItemDeps, creation: Creation): Promise<Created> {
  const { principal, requestId, dryRun } = creation
  return withList(deps.lists, { accountId: principal.accountId, ref: creation.list }, async (found) => {
    const config = assertVisibleList(found, { principal, action: 'create' })
    using once = await findRepeatedRequest(deps, config, { ...creation, content: () => contentOf(creation) })
    const [before] = once.earlier ?? []
    if (before) return { ...before, config, isRepeated: true }
    const mutation = await computeCreation(deps, config, creation)
    const item = await commitItem(deps, config, { ...mutation, principal, requestId, dryRun, key: once.key })
    return { ...writtenItem(principal, config, item), isRepeated: false }
  })
}

function contentOf({ body: { data: _parsed, ...fields }, dataText = 'null' }: Creation): string[] {
  return ['create', canonicalJson(fields), dataText]
}

/** @throws the errors of `createItem`, except the errors of the commit */
export async function computeCreation(
  deps: ItemDeps,
  config: ListConfig,
  { principal, body, dataText = 'null' }: Pick<Creation, 'principal' | 'body' | 'dataText'>,
): Promise<ItemMutation> {
  authorize(principal, requestInAdvance(config.list, 'create'))
  if (config.list.readonly) throw new AppError('LIST_READONLY')
  const { size, indexValues, words } = await validateItemData(deps, config, {
    data: dataText,
    value: body.data ?? null,
    limits: principal.limits,
  })
  const id = deps.newId()
  // The time of the id, so that items are in order of creation wherever they are in order of their ids.
  const at = timeOfId(id)
  const after = newItem(body, { id, list: config.list, data: dataText, size, at, identity: ownerOf(principal) })
  return { before: null, after, indexValues, words, at }
}

function ownerOf(principal: AuthenticatedPrincipal): Item['identity'] {
  if (principal.mode !== 'token' || !principal.identity) return null
  const { id, displayName } = principal.identity
  return { id, displayName }
}
