import { revisionTag } from '#services/gateway/request/entity-tags.ts'
import type { ItemPrincipal, TokenPrincipal } from '#services/gateway/request/principal.ts'
import { json, type Response, type ShownState } from '#services/gateway/request/response.ts'
import { withoutValuesAt } from '#shared/domain/item/guard.ts'
import { type Item, serializeItem, serializeItemFields } from '#shared/domain/item/item.ts'
import type { ItemResult } from '../context.ts'
import { type DataChoice, dataChooser } from '../data-choice.ts'

/** The principal that sees an item, and the part of it that the query requests. */
export type Viewer = { principal: ItemPrincipal; query: Shown }
export type Shown = DataChoice & { includeData?: boolean; includeGuarded?: boolean; dryRun?: boolean }

/** A read of an item, as this principal may see it. */
export function readResponse(result: ItemResult, viewer: Viewer): Response {
  const { identity } = result.item
  // The name of the owner can change without a new revision of the item.
  const owner = identity ? [identity.id, identity.displayName] : []
  return json(serializeVisibleItem(result, viewer), { state: shownState(result, viewer, ['item', ...owner]) })
}

/**
 * The content that the etag of a read of an item identifies: the revision and the id, because an alias may move to another item with the
 * same revision; the guards of values that this principal does not see; and the `further` parts.
 */
export function shownState({ item, config }: ItemResult, { principal, query }: Viewer, further: string[]): ShownState {
  const includeGuarded = query.includeGuarded === true
  const isGuarded = hiddenPointers({ item, config }, { principal, includeGuarded }).length > 0
  // The ids of guards cannot be guessed, so the hash confirms no guess of a pointer.
  const guards = isGuarded
    ? config.indexes.filter(({ guard }) => guard).flatMap(({ id, pointer }) => [id, pointer])
    : []
  return { revision: item.revision, shown: JSON.stringify([item.id, ...further, ...guards]) }
}

/** An item that was written, as this principal may see it, with its etag as a header too; the item of a dry run has none. */
export function itemResponse(status: 200 | 201, result: ItemResult, viewer: Viewer): Response {
  const text = serializeVisibleItem(result, viewer)
  const etag = visibleEtag(result.item, viewer.query)
  return json(text, etag === undefined ? { status } : { status, headers: { etag } })
}

/** An item as this principal may see it, as JSON text, with its etag: clients copy objects, and pages have no header for it. */
export function serializeVisibleItem(result: ItemResult, { principal, query }: Viewer): string {
  const includeGuarded = query.includeGuarded === true
  const seen = withoutValuesAt(result.item, hiddenPointers(result, { principal, includeGuarded }))
  if (result.dataHidden) return serializeItemFields(seen, { data: '"dataHidden":true', etag: visibleEtag(seen, query) })
  const choose = dataChooser(query)
  return serializeSeenItem(choose ? { ...seen, data: choose(seen.data) } : seen, query)
}

/** The same for an item from which the values that this principal does not see have been removed. */
export function serializeSeenItem(item: Item, query: Shown): string {
  return serializeItem(item, { includeData: query.includeData !== false, etag: visibleEtag(item, query) })
}

/** The result of a dry run has no revision. */
function visibleEtag({ revision }: Item, query: Shown): string | undefined {
  return query.dryRun === true ? undefined : revisionTag(revision)
}

/** The pointers whose values this principal does not see in an item. */
export function hiddenPointers(
  { item, config }: ItemResult,
  { principal, includeGuarded }: { principal: ItemPrincipal; includeGuarded: boolean },
): readonly string[] {
  const unguarded = principal.mode !== 'token' || (includeGuarded && owns(principal, item))
  return unguarded ? [] : config.guards
}

/** The identity that owns an item may request its guarded values (contract 2.2). */
function owns({ identity }: TokenPrincipal, item: Item): boolean {
  return identity !== null && item.identity?.id === identity.id
}
