import { newestItems } from '#shared/data/item-pages/newest-items.ts'
import { mismatchLimits, schemaTrialMs, storedItemsLimits } from '#shared/domain/limits.ts'
import type { List } from '#shared/domain/list/fields.ts'
import type { Change, Mismatches } from '#shared/domain/sync/change.ts'
import type { PlannedList } from '#shared/domain/sync/list-plan.ts'
import type { Plan } from '#shared/domain/sync/schema-sync.ts'
import { AppError } from '#shared/errors.ts'
import type { DataError } from '#shared/json-schema/errors.ts'
import { isAllowed } from '../../auth/authorize.ts'
import { viewsByConditions } from '../../auth/item-states.ts'
import { visibilityFor, visibleItemsFor } from '../../auth/visibility.ts'
import type { AuthenticatedPrincipal } from '../../request/principal.ts'
import type { SchemaSyncDeps } from './context.ts'

/** Stored items that a new schema would not accept (contract 2.4), for one sync. */
export type StoredMismatches = {
  /**
   * Counts them for each list whose schema the plan changes; never twice for one list.
   * @returns whether the plan has a list that was not counted before: the plan may be outdated after the count
   * @throws Conflict when a list no longer exists
   */
  count(plan: Plan): Promise<boolean>
  /** The changes with the counts, and warnings about them. */
  addTo(changes: readonly Change[]): Change[]
}

type CountDeps = Pick<SchemaSyncDeps, 'db' | 'schemas'>

export function createStoredMismatches(deps: CountDeps, principal: AuthenticatedPrincipal): StoredMismatches {
  /** By list; null: its items may not be checked. */
  const found = new Map<string, Mismatches | null>()
  let until: number | undefined
  return {
    async count({ lists }) {
      const before = found.size
      for (const planned of lists) {
        const { current, after } = planned
        if (!current || !changesSchema(planned) || found.has(current.id)) continue
        const schema = after.schema ?? ''
        until ??= performance.now() + schemaTrialMs
        const learns = mayLearn(principal, planned)
        found.set(current.id, learns ? await countIn(deps, current, { principal, schema, until }) : null)
      }
      return found.size > before
    },
    addTo: (changes) =>
      changes.map((change) => {
        const mismatches = change.resourceType === 'list' && change.fields?.schema && found.get(change.listId ?? '')
        return mismatches === null || mismatches ? withMismatches(change, mismatches) : change
      }),
  }
}

function withMismatches(change: Change, mismatches: Mismatches | null): Change {
  const warning = mismatches ? warningOf(mismatches) : notChecked
  return {
    ...change,
    ...(mismatches && { mismatches }),
    ...(warning && { warnings: [...(change.warnings ?? []), warning] }),
  }
}

function changesSchema({ change, current, after }: PlannedList): boolean {
  return Boolean(change.fields?.schema) && after.schema !== null && (current?.itemCount ?? 0) > 0
}

/**
 * With one schema after the other, a token could find out what the items contain. So it gets the count only if it may list the items
 * and, in a list with guard indexes, may change indexes, as for setting the schema.
 */
function mayLearn(principal: AuthenticatedPrincipal, { current, guarded }: PlannedList): boolean {
  if (principal.mode === 'user') return true
  // With conditions, the number of items to examine for those that the token may view is unbounded.
  if (!current?.indexable || viewsByConditions(principal, current.id)) return false
  if (visibilityFor(principal, { id: current.id, indexes: [] }).kind === 'none') return false
  return !guarded || isAllowed(principal, { action: 'update', resourceType: 'index', listId: current.id })
}

/** `complete`: of the items that the principal may view. */
async function countIn(
  { db, schemas }: CountDeps,
  { id, accountId, itemCount }: List,
  { principal, schema, until }: { principal: AuthenticatedPrincipal; schema: string; until: number },
): Promise<Mismatches> {
  const set = visibleItemsFor(principal, { id, indexes: [] }, 'any')
  const counted: Mismatches = { failing: 0, checked: 0, complete: false, items: [] }
  if (!set || performance.now() >= until) return counted
  const validate = schemas.validator(accountId, schema)
  let bytes = 0
  for await (const { id: itemId, data, size } of newestItems(db.long, { accountId, set }, storedItemsLimits)) {
    const errors = performance.now() < until ? await orNull(async () => validate(data, JSON.parse(data))) : null
    if (errors === null) return counted
    counted.checked++
    if (errors.length > 0) addFailing(counted, itemId, errors)
    bytes += size
  }
  const { maxItems, maxBytes } = storedItemsLimits
  return { ...counted, complete: counted.checked >= itemCount || (counted.checked < maxItems && bytes < maxBytes) }
}

function addFailing(counted: Mismatches, itemId: string, errors: readonly DataError[]): void {
  counted.failing++
  if (counted.items.length >= mismatchLimits.maxItems) return
  const shown = errors.slice(0, mismatchLimits.maxErrors).map(({ pointer, message }) => ({ pointer, message }))
  counted.items.push({ itemId, errors: shown })
}

/** Null when the validator has too much to do: the sync does not fail for what is only a warning. */
async function orNull<T>(work: () => Promise<T>): Promise<T | null> {
  try {
    return await work()
  } catch (error) {
    if (error instanceof AppError && error.name === 'SERVICE_UNAVAILABLE') return null
    throw error
  }
}

function warningOf({ failing, checked, complete }: Mismatches): string | null {
  if (!complete) return `Stored items that do not match the new schema: at least ${failing}; ${checked} were checked.`
  return failing > 0 ? `Stored items that do not match the new schema: ${failing} of ${checked}.` : null
}

const notChecked =
  'Stored items were not checked against the new schema: this needs the permission to view them and, if the list has guard indexes, to update these.'
