import { sealingOf } from '#services/gateway/auth/cursor-sealing.ts'
import { Conflict } from '#shared/data/conflict.ts'
import type { ItemSet } from '#shared/data/item-pages/item-set.ts'
import { type ItemPageRequest, readItemPage } from '#shared/data/item-pages/page.ts'
import type { CursorSealing, Page } from '#shared/data/pages/page.ts'
import type { Item } from '#shared/domain/item/item.ts'
import { asksForWords } from '#shared/domain/item/questions/search-filter.ts'
import type { ListConfig } from '../../lists/list-cache.ts'
import { withList } from '../../lists/with-list.ts'
import type { ItemDeps } from '../context.ts'
import { assertBuilt, assertVisibilityBuilt, assertWordsBuilt } from '../questions/assert-built.ts'
import { assertListed } from './assert-listed.ts'
import { assertVisibleList } from './load-item.ts'
import { type ItemListing, type PageQuestion, readQuestion } from './page-question.ts'
import { type SeenItems, seenItems } from './seen-items.ts'

/**
 * One page of the items of a list that the principal may see, without the guarded values that it does not see. The page is
 * bounded by the bytes of what it shows.
 * @throws REQUESTED_ENTITY_NOT_FOUND, TOKEN_NOT_AUTHORIZED, INDEX_NOT_USABLE, INDEX_BUILDING, INDEX_BUILD_FAILED,
 *   VALIDATION_FAILED, QUESTION_TOO_BROAD, SERVICE_UNAVAILABLE
 */
export function listItems(
  deps: ItemDeps,
  listing: ItemListing & { list: string },
): Promise<{ page: Page<Item>; config: ListConfig }> {
  const { principal } = listing
  return withList(deps.lists, { accountId: principal.accountId, ref: listing.list }, async (found) => {
    const config = assertVisibleList(found, { principal, action: 'view' })
    return { page: await readListing(deps, config, listing), config }
  })
}

/**
 * The same for a list whose settings are known: reads the question, decides what the caller sees, and reads the page.
 * @throws as `listItems`; Conflict when `config` is no longer current
 */
export async function readListing(deps: ItemDeps, config: ListConfig, listing: ItemListing): Promise<Page<Item>> {
  await assertListed(deps, config, listing.principal)
  const question = readQuestion(config, listing)
  await assertAnswerable(deps, config, { listing, question })
  const seen = await seenItems(deps.db, config, { listing, question })
  if (seen) await assertVisibilityBuilt(deps, config, { principal: listing.principal, set: seen.set })
  return seen ? readPage(deps, config, { question, seen }) : emptyPage(question.request)
}

/** @throws INDEX_BUILDING, INDEX_BUILD_FAILED */
async function assertAnswerable(
  deps: ItemDeps,
  config: ListConfig,
  { listing: { principal }, question: { indexes, questions } }: { listing: ItemListing; question: PageQuestion },
): Promise<void> {
  for (const index of indexes) await assertBuilt(deps.db, index, principal)
  if (asksForWords(questions)) await assertWordsBuilt(deps, config, principal)
}

async function readPage(
  deps: ItemDeps,
  { list }: ListConfig,
  { question: { request, unserved }, seen }: { question: PageQuestion; seen: SeenItems },
): Promise<Page<Item>> {
  const { accountId } = list
  const sealing = sealingFor(deps, { accountId, set: seen.set })
  const options = { ...seen, accountId, unserved }
  const found = await readItemPage(deps.db.long, options, { ...request, ...(sealing && { sealing }) })
  if (found.configVersion !== list.configVersion) throw new Conflict('list')
  return found.page
}

/** A page that ends early may end on an item that the principal does not see. */
function sealingFor(
  { sealer }: ItemDeps,
  { accountId, set }: { accountId: string; set: ItemSet },
): CursorSealing | null {
  if (set.visible.kind === 'all' && !set.drafts) return null
  return sealingOf(sealer, { accountId, rows: set.listId })
}

function emptyPage(request: ItemPageRequest): Page<Item> {
  const { limit } = request
  return 'page' in request ? { page: request.page, limit, total: 0, data: [] } : { limit, next: null, data: [] }
}
