import { cutGuarded } from '#shared/domain/item/guard.ts'
import { type Item, itemJson } from '#shared/domain/item/item.ts'
import type { KnownCaller, TokenCaller } from '../../request/principal.ts'
import type { Answer, ApiRequest } from '../../request/route.ts'
import type { ItemResult } from './create-item.ts'
import { etagOf } from './if-match.ts'

/** An item as this caller may see it, with its etag. */
export function itemAnswer(
  status: 200 | 201,
  { item, config }: ItemResult,
  { caller, query }: { caller: KnownCaller; query: ApiRequest['query'] },
): Answer {
  const json = shownItem({ item, config }, { caller, query })
  return { status, json, headers: { etag: etagOf(item.revision) } }
}

/** An item as this caller may see it, as JSON text. */
export function shownItem(
  { item, config }: ItemResult,
  { caller, query }: { caller: KnownCaller; query: ApiRequest['query'] },
): string {
  const whole = caller.mode === 'user' || (query.includeGuarded === true && owns(caller, item))
  const shown = whole ? item : withoutGuarded(item, config.guards)
  return itemJson(shown, { includeData: query.includeData !== false })
}

/** The identity that owns an item may ask to see its guarded values (contract 2.2). */
function owns({ identity }: TokenCaller, item: Item): boolean {
  return identity !== null && item.identity?.id === identity.id
}

/** Tokens do not see guarded values, and `size` is that of what they see: the full one would tell how long the rest is. */
function withoutGuarded(item: Item, guards: readonly string[]): Item {
  if (guards.length === 0) return item
  const data = cutGuarded(item.data, guards)
  return { ...item, data, size: Buffer.byteLength(data) }
}
