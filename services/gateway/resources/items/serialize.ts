import { removePointers } from '#shared/domain/item/guard.ts'
import { type Item, serializeItem } from '#shared/domain/item/item.ts'
import type { AuthenticatedPrincipal, TokenPrincipal } from '../../request/principal.ts'
import type { ApiRequest, Response } from '../../request/route.ts'
import type { ItemResult } from './create-item.ts'
import { etagOf } from './if-match.ts'

/** An item as this principal may see it, with its etag. */
export function itemResponse(
  status: 200 | 201,
  { item, config }: ItemResult,
  { principal, query }: { principal: AuthenticatedPrincipal; query: ApiRequest['query'] },
): Response {
  const json = serializeVisibleItem({ item, config }, { principal, query })
  return { status, json, headers: { etag: etagOf(item.revision) } }
}

/** An item as this principal may see it, as JSON text. */
export function serializeVisibleItem(
  { item, config }: ItemResult,
  { principal, query }: { principal: AuthenticatedPrincipal; query: ApiRequest['query'] },
): string {
  const unguarded = principal.mode === 'user' || (query.includeGuarded === true && owns(principal, item))
  const visible = unguarded ? item : withoutGuarded(item, config.guards)
  return serializeItem(visible, { includeData: query.includeData !== false })
}

/** The identity that owns an item may request its guarded values (contract 2.2). */
function owns({ identity }: TokenPrincipal, item: Item): boolean {
  return identity !== null && item.identity?.id === identity.id
}

/** Tokens do not see guarded values, and `size` is that of the rest: the full size would reveal the length of the values. */
function withoutGuarded(item: Item, guards: readonly string[]): Item {
  if (guards.length === 0) return item
  const data = removePointers(item.data, guards)
  return { ...item, data, size: Buffer.byteLength(data) }
}
