import { type ListPageRequest, type ListSet, readListPage, seesAllLists } from '#shared/data/lists/list-page.ts'
import type { Page } from '#shared/data/pages/page.ts'
import { validationFailed } from '#shared/errors.ts'
import { sealingOf } from '../../auth/cursor-sealing.ts'
import { visibleLists } from '../../auth/visibility.ts'
import type { AuthenticatedPrincipal } from '../../request/principal.ts'
import type { ListDeps } from './context.ts'
import { type ShownList, withVisibleItemCount } from './visible-item-count.ts'

export type ListListing = { principal: AuthenticatedPrincipal; filters: ListSet['filters']; request: ListPageRequest }

/**
 * One page of the account's lists that the principal may see; those that are not activated are hidden from tokens.
 * @throws TOKEN_NOT_AUTHORIZED, VALIDATION_FAILED, QUESTION_TOO_BROAD
 */
export async function listLists(
  deps: ListDeps,
  { principal, filters, request }: ListListing,
): Promise<Page<ShownList>> {
  const { accountId, mode } = principal
  // The order would reveal items that the token may not see.
  if (mode === 'token' && request.order === 'itemCount') {
    throw validationFailed([{ path: 'order', message: 'can be itemCount in user mode only' }])
  }
  const set = { accountId, visible: visibleLists(principal), activatedOnly: mode === 'token', filters }
  const sealing = seesAllLists(set) ? null : sealingOf(deps.sealer, { accountId, rows: 'lists' })
  const page = await readListPage(deps.db.long, set, { ...request, ...(sealing && { sealing }) })
  return { ...page, data: await Promise.all(page.data.map((list) => withVisibleItemCount(deps, principal, list))) }
}
