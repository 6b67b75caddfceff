import { cutGuarded } from '#shared/domain/guard.ts'
import { type Item, itemJson } from '#shared/domain/item.ts'
import type { ItemResult } from '../../actions/create-item.ts'
import { etagOf } from '../../actions/if-match.ts'
import type { KnownCaller } from '../../auth/caller.ts'
import type { Answer, ApiRequest } from '../../http/route.ts'

/** An item as this caller may see it, with its etag. */
export function itemAnswer(
  status: 200 | 201,
  { item, config }: ItemResult,
  { caller, query }: { caller: KnownCaller; query: ApiRequest['query'] },
): Answer {
  const shown = caller.mode === 'token' ? withoutGuarded(item, config.guards) : item
  const json = itemJson(shown, { includeData: query.includeData !== false })
  return { status, json, headers: { etag: etagOf(item.revision) } }
}

/** Tokens do not see guarded values, and `size` is that of what they see: the full one would tell how long the rest is. */
function withoutGuarded(item: Item, guards: readonly string[]): Item {
  if (guards.length === 0) return item
  const data = cutGuarded(item.data, guards)
  return { ...item, data, size: Buffer.byteLength(data) }
}
