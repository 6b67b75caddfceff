import type { AuthenticatedPrincipal, ItemPrincipal } from '#services/gateway/request/principal.ts'
import { Conflict } from '#shared/data/conflict.ts'
import type { Queries } from '#shared/data/database.ts'
import { findAliasesTaken } from '#shared/data/items/commit/alias-taken.ts'
import { findBeyondLimits } from '#shared/data/items/commit/beyond-limits.ts'
import { assertUnitFits } from '#shared/data/items/commit/commit.ts'
import type { RejectedChange } from '#shared/data/items/commit/rejected-change.ts'
import type { IdempotencyKey } from '#shared/data/items/idempotency-records.ts'
import type { ItemChange } from '#shared/data/items/item-change.ts'
import type { IndexValue } from '#shared/domain/item/index-value.ts'
import type { Item } from '#shared/domain/item/item.ts'
import { serializeItem } from '#shared/domain/item/item.ts'
import type { ListReference } from '#shared/domain/list/fields.ts'
import type { ItemWords } from '#shared/domain/search/item-words.ts'
import { eventPayload } from '#shared/domain/webhook/event-payload.ts'
import { itemEventTypeOf } from '#shared/domain/webhook/event-types.ts'
import type { ListConfig } from '../../lists/list-cache.ts'
import type { ItemDeps } from '../context.ts'
import { assertMutationAllowed } from './decide-mutation.ts'
import { markArrayIndexes } from './mark-array-indexes.ts'

/**
 * A change of an item: `before` null creates it, `after` null deletes it. `restores`: `after` is an earlier state, of an item
 * that is deleted if `before` is null.
 */
export type ItemMutation = {
  before: Item | null
  after: Item | null
  indexValues: readonly IndexValue[]
  words: ItemWords
  /** Epoch milliseconds. */
  at: number
  restores?: true
}

/** Who writes, and whether it is only a dry run: validated in full, and not written. */
export type Author = { principal: AuthenticatedPrincipal; requestId: string; dryRun: boolean }

/**
 * Commits a mutation of an item, if rules allow it, with its event and its webhook payload, which are computed first. A dry run only
 * makes the checks of a commit.
 * @returns the item after the change, or the deleted one
 * @throws Conflict when the list or the item has changed since, or a request with the key has been committed; ITEM_ALIAS_TAKEN,
 *   MAX_ITEMS_EXCEEDED, STORAGE_LIMIT_EXCEEDED, SERVICE_UNAVAILABLE, the errors of `assertMutationAllowed`
 */
export async function commitItem(
  deps: ItemDeps,
  config: ListConfig,
  mutation: ItemMutation & Author & { key?: IdempotencyKey | undefined },
): Promise<Item> {
  await assertMutationAllowed(mutation.principal, config, mutation)
  const change = toChange(deps, config, mutation)
  if (mutation.dryRun) {
    const [error] = await findCommitErrors(deps, config, [change])
    if (error) throw error
  } else {
    await markArrayIndexes(deps, config, [change])
    await deps.committer.commit(change, mutation.key)
  }
  return subjectOf(mutation)
}

/**
 * The errors that a commit of changes would have, for a dry run: for every alias that is already in use, and every change beyond the
 * limits of the account's plan, each with the index of its change.
 * @throws Conflict when the list has changed since; PAYLOAD_TOO_LARGE
 */
export async function findCommitErrors(
  deps: ItemDeps,
  config: ListConfig,
  changes: readonly ItemChange[],
): Promise<RejectedChange[]> {
  const { accountId, id } = config.list
  assertUnitFits({ changes })
  const errors = await findRejections(deps.db, changes)
  if (!(await deps.lists.isCurrent(accountId, id, config))) throw new Conflict('list')
  return errors
}

/** The same for changes in any lists, without the limit of bytes. The caller checks that the settings of the lists are current. */
export async function findRejections(db: Queries, changes: readonly ItemChange[]): Promise<RejectedChange[]> {
  return [...(await findAliasesTaken(db, changes)), ...(await findBeyondLimits(db, changes))]
}

/** The item after a mutation, or the deleted one. */
export function subjectOf({ before, after }: ItemMutation): Item {
  const subject = after ?? before
  if (!subject) throw new TypeError('A mutation needs an item.')
  return subject
}

/** The change for the committer: a mutation with its event and its payload. */
export function toChange(
  deps: Pick<ItemDeps, 'newId'>,
  { list, indexes, termsId }: ListConfig,
  mutation: ItemMutation & { principal: Pick<ItemPrincipal, 'actor' | 'limits'>; requestId: string },
): ItemChange {
  const { before, after, indexValues, words, at, requestId } = mutation
  const { actor, limits } = mutation.principal
  const subject = subjectOf(mutation)
  const logType = logTypeOf(mutation)
  const type = itemEventTypeOf[logType]
  const id = deps.newId()
  const previous = before && after ? { previous: before } : {}
  const itemText = serializeItem(subject, { includeData: true })
  return {
    accountId: list.accountId,
    list: { id: list.id, configVersion: list.configVersion, ...(list.realtime && { realtime: true }) },
    itemId: subject.id,
    expectedRevision: before?.revision ?? null,
    before: before && { activated: before.activated, size: before.size },
    after,
    indexValues,
    ...(termsId !== null && { terms: { ...words, termsId } }),
    ...(indexes.some(({ arrays }) => arrays) && { arrays: true }),
    event: {
      id,
      type: logType,
      actor,
      createdAt: at,
      version: subject.version,
      snapshot: itemText,
    },
    payload: eventPayload({
      id,
      type,
      createdAt: at,
      list: listReference(list),
      item: subject,
      itemText,
      ...previous,
      actor,
    }),
    requestId,
    limits,
  }
}

function logTypeOf({ before, after, restores }: ItemMutation): keyof typeof itemEventTypeOf {
  if (restores) return 'item-restored'
  if (before === null) return 'item-created'
  return after === null ? 'item-deleted' : 'item-updated'
}

function listReference({ id, name, pathName }: ListConfig['list']): ListReference {
  return { id, name, pathName }
}
