import type { AuthenticatedPrincipal, FlowPrincipal, ItemPrincipal } from '#services/gateway/request/principal.ts'
import type { Queries } from '#shared/data/database.ts'
import { existingIdentityIds } from '#shared/data/identities/identities.ts'
import type { ItemSet } from '#shared/data/item-pages/item-set.ts'
import type { FilteredField } from '#shared/domain/item/filters.ts'
import { isFilteredField, itemFilterNames, itemFilters } from '#shared/domain/item/filters.ts'
import { hiddenSize } from '#shared/domain/item/guard.ts'
import type { Question } from '#shared/domain/item/questions/question.ts'
import { leavesOf, mapLeaves } from '#shared/domain/item/questions/question.ts'
import type { FieldError } from '#shared/errors.ts'
import { validationFailed } from '#shared/errors.ts'
import type { ListConfig } from '../../lists/list-cache.ts'
import type { ItemFilters } from './filter-schemas.ts'

/** The properties of a set of items that come from filters on fields. */
type Filtered = Required<Pick<ItemSet, 'readonly' | 'tagged' | 'ownerIds' | 'questions'>>

/**
 * Restricts a set of items to those that pass the filters on fields and other questions. A deleted identity owns nothing, so its id is
 * left out.
 * @throws VALIDATION_FAILED for `mine` without identity headers
 */
export async function filteredBy(
  db: Queries,
  principal: ItemPrincipal,
  { filters, questions }: { filters: ItemFilters; questions: readonly Question[] },
): Promise<Filtered> {
  const { readonly = null, tagged = [], identityId = [], id = [] } = filters
  const tags = tagged.flatMap((one) => (one.kind === 'tagged' && one.anyOf ? [one.anyOf] : []))
  const untagged = tagged.filter((one) => one.kind !== 'tagged')
  const [owner] = identityId
  const named = owner?.kind === 'owner' ? owner.ids : null
  const ownerIds = ownersOf(principal, filters, named)
  const notOwned = identityId.filter((one) => one.kind !== 'owner' || one.ids === null)
  const compared = comparedFields.flatMap((name) => filters[name] ?? [])
  const asked = [...id, ...untagged, ...notOwned, ...compared, ...questions]
  const known = await existingOwners(db, principal, [...(ownerIds ?? []), ...ownersIn(asked)])
  return {
    readonly,
    tagged: tags,
    ownerIds: ownerIds?.filter((id) => known.has(id)) ?? null,
    questions: asked.map((one) => withOwners(one, known)),
  }
}

type ComparedField = FilteredField<'date' | 'text' | 'number'>

/** The fields whose filters become questions only: dates, texts and numbers. */
const comparedFields = itemFilterNames.filter((name): name is ComparedField => {
  return isFilteredField(name) && ['date', 'text', 'number'].includes(itemFilters[name].kind)
})

/** The owners to which the filters restrict a set of items; null: no restriction. @throws VALIDATION_FAILED */
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

/**
 * The error for a principal from which the sizes of items are hidden: tokens (contract 2.2), and nodes of flows that do not see guarded
 * values; null: sizes are not hidden.
 */
export function hiddenSizes(
  { guards }: Pick<ListConfig, 'guards'>,
  principal: SizeReader,
): ReturnType<typeof hiddenSize> | null {
  if (guards.length === 0) return null
  if (principal.mode === 'token') return hiddenSize('tokens')
  return principal.mode === 'flow' && !principal.seesGuarded ? hiddenSize('nodes that are not guarded') : null
}

type SizeReader = Pick<AuthenticatedPrincipal, 'mode'> | Pick<FlowPrincipal, 'mode' | 'seesGuarded'>

/** The error of a filter on a size that is hidden; null: there is none. */
export function sizeError(
  config: Pick<ListConfig, 'guards'>,
  principal: SizeReader,
  name: string,
): { error: string } | null {
  const hidden = name === 'size' ? hiddenSizes(config, principal) : null
  return hidden && { error: hidden.condition }
}

/** The errors of the parameters that a principal may not filter by. */
export function filterErrors(config: ListConfig, principal: ItemPrincipal, filters: ItemFilters): FieldError[] {
  const { error } = (filters.size && sizeError(config, principal, 'size')) || {}
  return error === undefined ? [] : [{ path: 'size', message: error }]
}
