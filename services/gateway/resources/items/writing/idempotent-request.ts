import { createHash } from 'node:crypto'
import { authorize } from '#services/gateway/auth/authorize.ts'
import { requestInAdvance, viewsByConditions } from '#services/gateway/auth/item-states.ts'
import type { ApiRequest } from '#services/gateway/request/api-request.ts'
import type { AuthenticatedPrincipal } from '#services/gateway/request/principal.ts'
import { Conflict } from '#shared/data/conflict.ts'
import { findItemEvents } from '#shared/data/events/event-log.ts'
import { findIdempotencyRecord, type IdempotencyKey } from '#shared/data/items/idempotency-records.ts'
import { findItems } from '#shared/data/items/items.ts'
import type { Item } from '#shared/domain/item/item.ts'
import { asLastReported, readSnapshot } from '#shared/domain/item/snapshot.ts'
import { idempotencyKey as idempotency } from '#shared/domain/limits.ts'
import { AppError, validationFailed } from '#shared/errors.ts'
import type { ListConfig } from '../../lists/list-cache.ts'
import type { ItemDeps, ItemResult } from '../context.ts'
import type { Author } from './commit-item.ts'
import { writtenItem } from './written-item.ts'

/** A request that may have an idempotency key. `content`: the parts of the request that determine what it does. */
type KeyedRequest = Pick<Author, 'principal' | 'dryRun'> & {
  idempotencyKey: string | undefined
  content: () => readonly string[]
}

/** The kind of a change, and the item after it, or the deleted one. */
export type AppliedChange = { op: Op } & Omit<ItemResult, 'config'>
type Op = 'create' | 'update' | 'delete'

/** @throws VALIDATION_FAILED */
export function parseIdempotencyKey({ headers }: Pick<ApiRequest, 'headers'>): string | undefined {
  const key = headers['idempotency-key']
  if (key === undefined || printable.test(key)) return key
  const message = `must be 1 to ${idempotency.maxLength} printable ASCII characters`
  throw validationFailed([{ path: 'idempotency-key', message }])
}

const printable = new RegExp(`^[ -~]{1,${idempotency.maxLength}}$`)

/**
 * A request that is processed once: `earlier` is the result of the same request before; otherwise `key` must be committed with the
 * result of this one. Requests with the same key wait until this is disposed of.
 */
export type IdempotentRequest<Earlier> = Disposable & { earlier?: Earlier; key?: IdempotencyKey }

/**
 * Finds the changes of the same request with the same key within the last day (contract 2.2). A dry run ignores the key.
 * @throws as `openKey`; Conflict when `config` is no longer current; as `authorize` for changes that the principal may no
 *   longer make
 */
export async function findRepeatedRequest(
  deps: ItemDeps,
  config: ListConfig,
  request: KeyedRequest,
): Promise<IdempotentRequest<AppliedChange[]>> {
  const { principal, dryRun, content } = request
  const idempotencyKey = dryRun ? undefined : request.idempotencyKey
  const once = await openKey(deps, { principal, idempotencyKey, subjectId: config.list.id, content })
  const { earlier, ...opened } = once
  if (earlier === undefined) return opened
  try {
    return { ...opened, earlier: await readChanges(deps, config, { principal, eventIds: JSON.parse(earlier) }) }
  } catch (error) {
    once[Symbol.dispose]()
    throw error
  }
}

type KeyDeps = Pick<ItemDeps, 'db' | 'exclusive' | 'now'>

/**
 * Finds the result of the same request with the same key within the last day, as JSON text. A key belongs to its sender: a user, or a token
 * together with the identity that it acts for.
 * @param request.subjectId the id of the list or flow that the request names
 * @throws IDEMPOTENCY_KEY_REUSED, SERVICE_UNAVAILABLE
 */
export async function openKey(
  deps: KeyDeps,
  { principal, idempotencyKey: key, subjectId, content }: Omit<KeyedRequest, 'dryRun'> & { subjectId: string },
): Promise<IdempotentRequest<string>> {
  if (key === undefined) return withoutKey
  const keyHash = hash([...senderOf(principal), key])
  const requestHash = hash([subjectId, ...content()])
  const section = await deps.exclusive([`key/${keyHash}`])
  try {
    const now = deps.now()
    const kept = await findIdempotencyRecord(deps.db, keyHash, now)
    if (!kept) return { ...section, key: { keyHash, subjectId, requestHash, expiresAt: now + idempotency.keptMs } }
    if (kept.requestHash !== requestHash) throw new AppError('IDEMPOTENCY_KEY_REUSED')
    return { ...section, earlier: kept.result }
  } catch (error) {
    section[Symbol.dispose]()
    throw error
  }
}

const withoutKey: IdempotentRequest<never> = { [Symbol.dispose]() {} }

function senderOf(principal: AuthenticatedPrincipal): string[] {
  if (principal.mode === 'user') return ['user', principal.userId]
  return ['token', principal.tokenId, principal.identity?.id ?? '']
}

/** The lengths say where each text ends. */
function hash(texts: readonly string[]): string {
  const lengths = JSON.stringify(texts.map(({ length }) => length))
  return texts.reduce((sum, text) => sum.update(text), createHash('sha256').update(lengths)).digest('hex')
}

/** Reads the changes from their events, which are kept longer than a key. */
async function readChanges(
  deps: ItemDeps,
  config: ListConfig,
  { principal, eventIds }: { principal: AuthenticatedPrincipal; eventIds: readonly string[] },
): Promise<AppliedChange[]> {
  const { id: listId, accountId } = config.list
  const events = await findItemEvents(deps.db, accountId, eventIds)
  const states = eventIds.map((eventId) => {
    const event = events.get(eventId)
    const op = event && ops.get(event.type)
    if (!op) throw new AppError('REQUESTED_ENTITY_NOT_FOUND')
    const item = readSnapshot(op === 'delete' ? asLastReported(event) : event, { accountId, listId })
    const which = op === 'create' ? {} : { itemId: item.id, ownerId: item.identity?.id ?? null }
    authorize(principal, { ...requestInAdvance(config.list, op), ...which })
    return { op, item }
  })
  const shown = await shownNow(deps, config, { principal, changes: states })
  // Guarded values are cut by these settings, which must still be current after the events were read.
  if (!(await deps.lists.isCurrent(accountId, listId, config))) throw new Conflict('list')
  return shown
}

/** The number of items that are read together: an item can have 1 MiB. */
const readTogether = 32

/** The changes as the caller sees them now. If conditions of rules decide that, the current states of the items are read. */
async function shownNow(
  { db }: ItemDeps,
  config: ListConfig,
  { principal, changes }: { principal: AuthenticatedPrincipal; changes: readonly { op: Op; item: Item }[] },
): Promise<AppliedChange[]> {
  const { id: listId, accountId } = config.list
  if (!viewsByConditions(principal, listId)) return [...changes]
  const shown: AppliedChange[] = []
  for (let n = 0; n < changes.length; n += readTogether) {
    const part = changes.slice(n, n + readTogether)
    const ids = part.map(({ item }) => item.id)
    const present = (await findItems(db, { accountId, listId }, ids))?.items
    for (const { op, item } of part) {
      const now = present?.get(item.id) ?? (op === 'delete' ? item : null)
      shown.push({ op, ...writtenItem(principal, config, item, now) })
    }
  }
  return shown
}

const ops: ReadonlyMap<string, Op> = new Map([
  ['item-created', 'create'],
  ['item-updated', 'update'],
  ['item-deleted', 'delete'],
])
