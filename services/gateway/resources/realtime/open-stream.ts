import { Conflict } from '#shared/data/conflict.ts'
import { countFrom } from '#shared/data/realtime/read-commits.ts'
import type { ResetReason } from '#shared/domain/realtime/frame.ts'
import type { HintTopic } from '#shared/domain/realtime/hints.ts'
import {
  beforeCommit,
  beginning,
  type Position,
  type ResumeId,
  readResumePoint,
} from '#shared/domain/realtime/position.ts'
import type { Subscription } from '#shared/domain/realtime/subscription.ts'
import { AppError } from '#shared/errors.ts'
import { isAllowedForAny } from '../../auth/authorize.ts'
import { notFoundOrForbidden } from '../../auth/not-found.ts'
import { isFromThisOrigin } from '../../auth/same-origin.ts'
import { visibilityFor } from '../../auth/visibility.ts'
import { throwIfInvalid } from '../../http/input/validation.ts'
import type { AuthenticatedPrincipal } from '../../request/principal.ts'
import type { Stream } from '../../request/response.ts'
import { assertVisibleList, loadItem } from '../items/reading/load-item.ts'
import { ruledList } from '../lists/list-cache.ts'
import { withList } from '../lists/with-list.ts'
import type { AccountFeed } from './account-feed.ts'
import type { RealtimeDeps } from './context.ts'
import { grantOf } from './grant.ts'
import { streamOf } from './stream.ts'

/** A client's subscription. `lists`: ids or path names; null: all. `items`: ids or aliases in the only named list; null: all. */
export type StreamRequest = {
  principal: AuthenticatedPrincipal
  headers: Readonly<Record<string, string | undefined>>
  clientAddress: string
  secure: boolean
  /** Empty if the client requests only hints. */
  types: readonly string[]
  /** The topics of the hints that it receives. */
  topics: readonly HintTopic[]
  lists: readonly string[] | null
  items: readonly string[] | null
  /** The `id:` of the last frame that the client has seen, as it was sent. */
  after: string | undefined
  includeData: boolean
  includeGuarded: boolean
}

/** More events than this are not replayed. */
const maxReplayed = 10_000

/**
 * Opens a stream: it is registered before its first frame is sent, so that a client that fetches after `ready` misses nothing.
 * @returns the stream, and `ended`, to be called once when it is over
 * @throws REQUESTED_ENTITY_NOT_FOUND, TOKEN_NOT_AUTHORIZED, USER_MODE_REQUIRED, VALIDATION_FAILED, LIST_NOT_REALTIME,
 *   CROSS_SITE_REQUEST, and the errors of `StreamCounts.open`
 */
export async function openStream(
  deps: RealtimeDeps,
  request: StreamRequest,
): Promise<{ body: Stream; ended: () => void }> {
  const { principal, clientAddress: address, topics, includeData, includeGuarded } = request
  const { accountId, limits } = principal
  assertOwnPage(deps, request)
  if (topics.length > 0 && principal.mode !== 'user') throw new AppError('USER_MODE_REQUIRED')
  assertListOfItems(request)
  const { subscription, named } = await subscriptionOf(deps, request)
  using undo = new DisposableStack()
  undo.defer(deps.streamCounts.open({ accountId, address, max: limits?.maxRealtimeConnections ?? null }))
  const feed = await deps.hub.take(accountId)
  undo.defer(() => deps.hub.release(accountId))
  const hints = topics.length > 0 ? deps.hintHub.open(accountId, topics) : null
  undo.defer(() => hints?.end())
  const place = await placeOf(deps, { feed, principal, after: request.after })
  const watcher = { principal, subscription, includeData, includeGuarded }
  const start = { watcher, named, feed, hints, ...place, authenticate: () => authenticate(deps, request) }
  const open = undo.move()
  return { ended: () => open.dispose(), body: (signal) => streamOf(deps, start, signal) }
}

/** A page of another origin cannot read a stream that it opens with the user's cookie, but it would keep the stream open. */
function assertOwnPage({ config }: RealtimeDeps, { headers, clientAddress: address, secure }: StreamRequest): void {
  const { cookie, authorization } = headers
  const isByCookie = cookie !== undefined && authorization === undefined && headers['x-api-token'] === undefined
  if (!isByCookie || (headers.origin === undefined && headers['sec-fetch-site'] === undefined)) return
  // Checked like a request that changes something.
  if (!isFromThisOrigin({ method: 'POST', headers }, { address, secure }, config.gateway.publicUrl)) {
    throw new AppError('CROSS_SITE_REQUEST')
  }
}

/** @throws VALIDATION_FAILED: an alias means nothing without its list */
function assertListOfItems({ lists, items }: StreamRequest): void {
  if (items && lists?.length !== 1) {
    throwIfInvalid([{ path: 'itemIds', message: '"itemIds" needs exactly one list in "listIds"' }])
  }
}

async function authenticate(
  { auth }: RealtimeDeps,
  { headers, clientAddress: address, secure }: StreamRequest,
): Promise<AuthenticatedPrincipal> {
  return auth.authenticate({ method: 'GET', headers }, { address, secure }, { isUse: false })
}

/** The subscription of the stream, and the ids of the lists in the order in which they were named; null: all. */
async function subscriptionOf(
  deps: RealtimeDeps,
  request: StreamRequest,
): Promise<{ subscription: Subscription; named: readonly string[] | null }> {
  const { principal, types, lists, items } = request
  if (!isAllowedForAny(principal, { action: 'view', resourceType: 'item' })) throw new AppError('TOKEN_NOT_AUTHORIZED')
  const found = await Promise.all((lists ?? []).map((list) => resolveList(deps, { ...request, list, items })))
  const named = lists && found.map(({ listId }) => listId)
  const itemIds = items && new Set(found.flatMap((one) => one.itemIds))
  return { named, subscription: { types: new Set(types), listIds: named && new Set(named), itemIds } }
}

type ListRequest = Pick<StreamRequest, 'principal' | 'items'> & { list: string }

/** Finds a named list, with the same checks as for a page of it, and the ids of the named items. */
function resolveList(
  deps: RealtimeDeps,
  { principal, list, items }: ListRequest,
): Promise<{ listId: string; itemIds: string[] }> {
  return withList(deps.lists, { accountId: principal.accountId, ref: list }, async (found) => {
    const config = assertVisibleList(found, { principal, action: 'view' })
    const listId = config.list.id
    if (visibilityFor(principal, ruledList(config)).kind === 'none')
      throw notFoundOrForbidden(principal, 'view', 'item')
    if (!config.list.realtime) throw new AppError('LIST_NOT_REALTIME')
    // A list that was deleted or no longer offers a stream may still be in the cache, and nothing after this would notice.
    if (!(await deps.lists.isCurrent(principal.accountId, list, config))) throw new Conflict('list')
    const ids: string[] = []
    for (const item of items ?? []) {
      ids.push((await loadItem(deps, config, { principal, list, item, action: 'view' })).id)
    }
    return { listId, itemIds: ids }
  })
}

/** Where a stream begins. */
type Place = { position: Position; id: ResumeId; resumed: boolean; reset: ResetReason | null }

async function placeOf(
  { db }: RealtimeDeps,
  { feed, principal, after }: Pick<StreamRequest, 'principal' | 'after'> & { feed: AccountFeed },
): Promise<Place> {
  const atEnd = { position: feed.end(), id: feed.endId(), resumed: false }
  if (after === undefined) return { ...atEnd, reset: null }
  const point = readResumePoint(after)
  if (point === undefined) return { ...atEnd, reset: 'too-old' }
  // An item that left the view of a client because its rights changed has no event.
  if (point.grant !== grantOf(principal)) return { ...atEnd, reset: 'changed' }
  const { accountId } = principal
  const { id } = point
  if (id === null) {
    const isNear = (feed.endId()?.number ?? 0) <= maxReplayed
    return isNear ? { position: beginning, id, resumed: true, reset: null } : { ...atEnd, reset: 'too-many' }
  }
  const events = await countFrom(db, accountId, { ...id, most: maxReplayed })
  if (events !== null && events > maxReplayed) return { ...atEnd, reset: 'too-many' }
  // The commit is sent whole again: how much of it the client has seen is not known.
  if (events !== null) return { position: beforeCommit(id.number), id, resumed: true, reset: null }
  const isEnd = id.number === atEnd.id?.number && id.eventId === atEnd.id.eventId
  return isEnd ? { ...atEnd, resumed: true, reset: null } : { ...atEnd, reset: 'too-old' }
}
