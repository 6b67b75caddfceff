import type { ItemPrincipal } from '#services/gateway/request/principal.ts'
import type { Queries } from '#shared/data/database.ts'
import { existingIdentityIds } from '#shared/data/identities/identities.ts'
import type { ItemSet } from '#shared/data/item-pages/item-set.ts'
import { type FilteredField, isFilteredField, itemFilterNames, itemFilters } from '#shared/domain/item/filters.ts'
import { leavesOf, mapLeaves, type Question } from '#shared/domain/item/questions/question.ts'
import { type FieldError, validationFailed } from '#shared/errors.ts'
import type { ListConfig } from '../../lists/list-cache.ts'
import type { ItemFilters } from './filter-schemas.ts'

/** What the filters on fields leave of a set of items. */
type Filtered = Required<Pick<ItemSet, 'readonly' | 'tagged' | 'ownerIds' | 'questions'>>

/**
 * What filters on fields, and other questions, leave of the items that a principal sees. An identity that is gone owns nothing.
 * @throws VALIDATION_FAILED for `mine` without identity headers
 */
export async function filteredBy(
  db: Queries,
  principal: ItemPrincipal,
  { filters, questions }: { filters: ItemFilters; questions: readonly Question[] },
): Promise<Filtered> {
  const { readonly = null, tagged = [], identityId = [] } = filters
  const tags = tagged.flatMap((one) => (one.kind === 'tagged' && one.anyOf ? [one.anyOf] : []))
  const untagged = tagged.filter((one) => one.kind !== 'tagged')
  const [owner] = identityId
  const named = owner?.kind === 'owner' ? owner.ids : null
  const ownerIds = ownersOf(principal, filters, named)
  const notOwned = identityId.filter((one) => one.kind !== 'owner' || one.ids === null)
  const compared = comparedFields.flatMap((name) => filters[name] ?? [])
  const asked = [...untagged, ...notOwned, ...compared, ...questions]
  const known = await existingOwners(db, principal, [...(ownerIds ?? []), ...ownersIn(asked)])
  return {
    readonly,
    tagged: tags,
    ownerIds: ownerIds?.filter((id) => known.has(id)) ?? null,
    questions: asked.map((one) => withOwners(one, known)),
  }
}

type ComparedField = FilteredField<'date' | 'text' | 'number'>

/** The fields whose filters are no part of a set but these. */
const comparedFields = itemFilterNames.filter((name): name is ComparedField => {
  return isFilteredField(name) && ['date', 'text', 'number'].includes(itemFilters[name].kind)
})

/** The owners that the filters leave; null: any, or none. @throws VALIDATION_FAILED */
function ownersOf(
  principal: ItemPrincipal,
  { mine }: ItemFilters,
  named: readonly string[] | null,
): readonly string[] | null {
  if (!mine) return named
  const self = ownId(principal)
  if (self === undefined) throw validationFailed([{ path: 'mine', message: 'needs identity headers' }])
  return (named ?? [self]).filter((id) => id === self)
}

/** The identity that a request acts for. */
export function ownId(principal: ItemPrincipal): string | undefined {
  return principal.mode === 'token' ? principal.identity?.id : undefined
}

function ownersIn(questions: readonly Question[]): string[] {
  return leavesOf(questions).flatMap((leaf) => (leaf.kind === 'owner' && leaf.ids) || [])
}

function withOwners(question: Question, known: ReadonlySet<string>): Question {
  return mapLeaves(question, (leaf) =>
    leaf.kind === 'owner' && leaf.ids ? { ...leaf, ids: leaf.ids.filter((id) => known.has(id)) } : leaf,
  )
}

async function existingOwners(
  db: Queries,
  { accountId }: ItemPrincipal,
  ids: readonly string[],
): Promise<ReadonlySet<string>> {
  return ids.length === 0 ? new Set() : new Set(await existingIdentityIds(db, { accountId, ids: [...new Set(ids)] }))
}

/** Whether sizes are hidden: pages in their order, and cursors, would tell those of values that tokens do not see (contract 2.2). */
export function hidesSizes({ guards }: Pick<ListConfig, 'guards'>, { mode }: Pick<ItemPrincipal, 'mode'>): boolean {
  return mode === 'token' && guards.length > 0
}

/** The error of a filter on a size that is hidden; null: there is none. */
export function sizeError(
  config: Pick<ListConfig, 'guards'>,
  principal: Pick<ItemPrincipal, 'mode'>,
  name: string,
): { error: string } | null {
  if (name !== 'size' || !hidesSizes(config, principal)) return null
  return { error: 'is not for tokens where the list has guard indexes' }
}

/** The errors of the parameters that a principal may not filter by. */
export function filterErrors(config: ListConfig, principal: ItemPrincipal, filters: ItemFilters): FieldError[] {
  const { error } = (filters.size && sizeError(config, principal, 'size')) || {}
  return error === undefined ? [] : [{ path: 'size', message: error }]
}
