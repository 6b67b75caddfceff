import type { PrincipalIdentity, TokenPrincipal, UserPrincipal } from '#services/gateway/request/principal.ts'
import type { Queries } from '#shared/data/database.ts'
import { findIdentity } from '#shared/data/identities/identities.ts'
import { isAmbiguousGroup } from '#shared/data/identities/identity-groups.ts'
import { resolveRules } from '#shared/data/tokens/rule-lists.ts'
import { findToken } from '#shared/data/tokens/tokens.ts'
import { compilePermissions } from '#shared/domain/access/compiled-rules.ts'
import type { PermissionRule } from '#shared/domain/access/permission-rule.ts'
import { decideActing } from '#shared/domain/access/permissions.ts'
import type { Identity } from '#shared/domain/identity/identity.ts'
import { AppError, type ErrorName, validationFailed } from '#shared/errors.ts'
import { withList } from '../../lists/with-list.ts'
import type { ItemDeps } from '../context.ts'
import { readListing } from '../reading/list-items.ts'
import { assertVisibleList } from '../reading/load-item.ts'

/** Rules to try: the token that would have them, and the identity that it would act for; null: none. */
export type TriedRules = { permissions: PermissionRule[]; tokenId: string | null; identityId: string | null }

/** How many items a token would see. */
export type VisibleCount = { count: number; isAtLeast: boolean }

/**
 * Counts the items of a list that a token with these rules would see, including drafts that it may know of. It reads the page that the
 * token would get, so the count has the bounds of the total of a page.
 * @throws REQUESTED_ENTITY_NOT_FOUND for a list that does not exist; VALIDATION_FAILED for a token or an identity that does not exist;
 *   the errors of `resolveRules`; INDEX_BUILDING, INDEX_BUILD_FAILED, SERVICE_UNAVAILABLE
 */
export async function countVisible(
  deps: ItemDeps,
  { principal, list: ref, tried }: { principal: UserPrincipal; list: string; tried: TriedRules },
): Promise<VisibleCount> {
  const { accountId } = principal
  const token = await tokenPrincipal(deps, principal, tried)
  let isFound = false
  const page = withList(deps.lists, { accountId, ref }, async (found) => {
    const config = assertVisibleList(found, { principal, action: 'view' })
    isFound = true
    if (token.identity && decideActing(token.permissions, token.identity) !== 'allowed') return null
    // Whether tokens may list items is independent of which ones they may view.
    const listed = { ...config, list: { ...config.list, indexable: true } }
    return readListing(deps, listed, { ...firstItem, principal: token })
  })
  return page.then(totalOf, (error: unknown) => {
    if (!isFound) throw error
    return countOfError(error)
  })
}

const none: VisibleCount = { count: 0, isAtLeast: false }

const firstItem = {
  filters: { activated: 'any' as const },
  pageQuery: { page: 1, limit: 1, order: 'createdAt' },
  includeData: false,
  includeGuarded: false,
  otherParameters: { values: {}, routeParameters: [], errors: [] },
}

function totalOf(page: Awaited<ReturnType<typeof readListing>> | null): VisibleCount {
  return page && 'total' in page ? { count: page.total, isAtLeast: page.totalIsAtLeast === true } : none
}

/** A token that sees nothing gets no page. A page is too broad if a call examines as many items as it may and finds none. */
function countOfError(error: unknown): VisibleCount {
  const name = error instanceof AppError ? error.name : null
  if (name !== null && sawNothing.has(name)) return none
  if (name === 'QUESTION_TOO_BROAD') return { count: 0, isAtLeast: true }
  throw error
}

const sawNothing: ReadonlySet<ErrorName> = new Set(['TOKEN_NOT_AUTHORIZED', 'REQUESTED_ENTITY_NOT_FOUND'])

async function tokenPrincipal(
  { db, now }: ItemDeps,
  { accountId }: UserPrincipal,
  { permissions, tokenId, identityId }: TriedRules,
): Promise<TokenPrincipal> {
  const [rules, token, identity] = await Promise.all([
    resolveRules(db, { accountId, rules: permissions }),
    tokenId === null ? null : findToken(db, { accountId, tokenId }),
    identityId === null ? null : findIdentity(db, { accountId, identityId }),
  ])
  const errors = [
    ...(tokenId !== null && !token ? [{ path: 'tokenId', message: 'is not the id of a token' }] : []),
    ...(identityId !== null && !identity ? [{ path: 'identityId', message: 'is not the id of an identity' }] : []),
  ]
  if (errors.length > 0) throw validationFailed(errors)
  return {
    mode: 'token',
    accountId,
    limits: null,
    rates: null,
    perMinute: null,
    tokenId: tokenId ?? '',
    tokenTags: token?.tags ?? [],
    askedAt: now(),
    permissions: compilePermissions(rules.permissions, rules.ruleIndexes),
    identity: identity && (await actingIdentity(db, accountId, identity.identity)),
    actor: { authMode: 'token', tokenId: tokenId ?? '', identityId },
  }
}

async function actingIdentity(
  db: Queries,
  accountId: string,
  { id, name, displayName, tags, group }: Identity,
): Promise<PrincipalIdentity> {
  const groupIsAmbiguous = group !== null && (await isAmbiguousGroup(db, { accountId, name: group }))
  return { id, name, displayName, tags, groupName: group, groupIsAmbiguous }
}
