import { removePointers } from '#shared/domain/item/guard.ts'
import { type Item, serializeItem } from '#shared/domain/item/item.ts'
import type { AuthenticatedPrincipal, TokenPrincipal } from '../../request/principal.ts'
import type { ApiRequest, Response } from '../../request/route.ts'
import type { ItemResult } from './context.ts'
import { etagOf } from './if-match.ts'

type Viewer = { principal: AuthenticatedPrincipal; query: ApiRequest['query'] }

/** An item as this principal may see it, with its etag as a header too; what a dry run made has none. */
export function itemResponse(status: 200 | 201, result: ItemResult, viewer: Viewer): Response {
  const json = serializeVisibleItem(result, viewer)
  const etag = visibleEtag(result, viewer)
  return etag === undefined ? { status, json } : { status, json, headers: { etag } }
}

/** An item as this principal may see it, as JSON text, with its etag: clients copy objects, and pages have no header for it. */
export function serializeVisibleItem(result: ItemResult, viewer: Viewer): string {
  const visible = withoutGuarded(
    result.item,
    hiddenPointers(result, { principal: viewer.principal, includeGuarded: viewer.query.includeGuarded === true }),
  )
  return serializeItem(visible, {
    includeData: viewer.query.includeData !== false,
    etag: visibleEtag(result, viewer),
  })
}

/** What a dry run would have written is at no revision. */
function visibleEtag({ item }: ItemResult, { query }: Viewer): string | undefined {
  return query.dryRun === true ? undefined : etagOf(item.revision)
}

/** The pointers whose values this principal does not see in an item. */
export function hiddenPointers(
  { item, config }: ItemResult,
  { principal, includeGuarded }: { principal: AuthenticatedPrincipal; includeGuarded: boolean },
): readonly string[] {
  const unguarded = principal.mode === 'user' || (includeGuarded && owns(principal, item))
  return unguarded ? [] : config.guards
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
