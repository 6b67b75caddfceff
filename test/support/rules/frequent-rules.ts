import { visibleItemsFor } from '#services/gateway/auth/visibility.ts'
import type { TokenPrincipal } from '#services/gateway/request/principal.ts'
import type { ItemSet } from '#shared/data/item-pages/item-set.ts'
import { compilePermissions } from '#shared/domain/access/compiled-rules.ts'
import type { PermissionRule } from '#shared/domain/access/permission-rule.ts'
import { initialValues } from '#shared/domain/fields/values.ts'
import type { RuledList } from '#shared/domain/item-rules/bound-rules.ts'
import { readRuleIndexes } from '#shared/domain/item-rules/rule-indexes.ts'
import { indexFields, type ListIndex } from '#shared/domain/list/index-fields.ts'
import type { ManyItems } from '../databases/contents/many-items.ts'

/** The identity that the token acts for. */
export const me = '01900000-0000-7000-8000-00000000000a'

/** The most common rules of apps: the conditions of a rule for views, and items of which half may be viewed. */
export const frequentRules: [
  claim: string,
  where: NonNullable<PermissionRule['where']>,
  items: Pick<ManyItems, 'keyOf' | 'elementsOf'>,
][] = [
  ['published', { status: 'eq:published' }, { keyOf: (n) => (n % 2 === 0 ? 'published' : 'draft') }],
  [
    'published or mine',
    { or: [{ status: 'eq:published' }, { author: 'eq:$identity.id' }] },
    { keyOf: (n) => ['published', 'draft', me, 'somebody'][n % 4] ?? null },
  ],
  [
    'members has me',
    { members: 'eq:$identity.id' },
    { keyOf: () => '-', elementsOf: (n) => (n % 2 === 0 ? [me] : ['y']) },
  ],
  [
    'team in my tags',
    { team: 'in:$identity.tags' },
    { keyOf: (n) => ['red', 'blue', 'green', 'black'][n % 4] ?? null },
  ],
]

/** The items that a token with such a rule sees for the identity `me`; `addManyItems` has written the values of all its indexes as of one. */
export function seenBy(
  where: NonNullable<PermissionRule['where']>,
  at: { accountId: string; listId: string },
): ItemSet {
  const { listId } = at
  const indexes = ['status', 'author', 'members', 'team'].map((pathName, n) => {
    const own = { id: `index-${n}`, valuesId: listId, listId, pathName, pointer: `/${pathName}` }
    return { ...initialValues(indexFields), ...own, filtering: true, arrays: pathName === 'members' } as ListIndex
  })
  const list: RuledList = { id: listId, indexes }
  const rules: PermissionRule[] = [
    { mode: 'allow', action: 'view', resourceType: 'item', listIds: [listId], where: { ...where } },
  ]
  const saved = readRuleIndexes(rules, () => indexes, 'permissions')
  if (saved.errors.length > 0) throw new Error(JSON.stringify(saved.errors))
  const set = visibleItemsFor(callerOf(at.accountId, compilePermissions(rules, saved.indexes)), list)
  if (!set) throw new Error('the rules let nothing be seen')
  return set
}

function callerOf(accountId: string, permissions: TokenPrincipal['permissions']): TokenPrincipal {
  const identity = {
    id: me,
    name: 'ada',
    displayName: 'Ada',
    groupName: null,
    groupIsAmbiguous: false,
    tags: ['red', 'green'],
  }
  return {
    mode: 'token',
    accountId,
    limits: null,
    rates: null,
    perMinute: null,
    tokenId: 't',
    tokenTags: [],
    askedAt: 1,
    permissions,
    identity,
    actor: { authMode: 'token', tokenId: 't', identityId: me },
  }
}
