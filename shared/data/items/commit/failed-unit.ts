import { Conflict } from '../../conflict.ts'
import type { Queries } from '../../database.ts'
import { isUniqueViolation } from '../../database-errors.ts'
import { Outdated } from '../../drivers/apply-writes.ts'
import { sql } from '../../sql/sql.ts'
import { inList } from '../../sql/statements.ts'
import type { IdempotencyKey } from '../idempotency-records.ts'
import { type ItemChange, isRecreation } from '../item-change.ts'
import { violationError } from './alias-taken.ts'
import { findBeyondLimits } from './beyond-limits.ts'
import { findFailedProof, type ReadProof } from './read-proofs.ts'

/** Item changes that were to be committed all or nothing, the key of their request, and what they were computed from, apart from their items. */
export type FailedUnit = {
  unit: readonly ItemChange[]
  key?: IdempotencyKey | undefined
  proofs: readonly ReadProof[]
}

/**
 * Finds the error because of which a unit was not committed. The cause is read after the rollback, because only a failed unit needs it, and
 * Postgres rejects every statement after a failed one.
 * @returns a Conflict or RejectedChange, with the position of the change or the failed proof; otherwise the error itself
 */
export async function failureOf(db: Queries, failed: FailedUnit, error: unknown): Promise<unknown> {
  if (error instanceof Outdated) return outdated(db, failed)
  return isUniqueViolation(error) ? violationError(db, failed) : error
}

/**
 * Revisions and versions only grow, so an outdated unit stays outdated. A list may have room again; then the change is computed again.
 * Otherwise an item differs from what the unit has read.
 */
async function outdated(db: Queries, { unit, proofs }: FailedUnit): Promise<Error> {
  const item = await outdatedItem(db, unit)
  if (item !== -1) return new Conflict('item', item)
  const list = await outdatedList(db, unit)
  if (list !== -1) return new Conflict('list', list)
  const [beyond] = await findBeyondLimits(db, unit)
  if (beyond) return beyond
  const proof = await findFailedProof(db, { proofs, own: unit })
  if (proof !== undefined) return new Conflict('item', undefined, proof)
  const recreated = unit.findIndex(isRecreation)
  return new Conflict('item', recreated === -1 ? undefined : recreated)
}

/** The index of the first change whose item is gone or has another revision than it was computed from. */
async function outdatedItem(db: Queries, unit: readonly ItemChange[]): Promise<number> {
  const first = new Map([...unit].reverse().map((change) => [change.itemId, change]))
  const replacing = [...first.values()].filter(({ expectedRevision }) => expectedRevision !== null)
  if (replacing.length === 0) return -1
  const ids = replacing.map(({ itemId }) => itemId)
  const rows = await db.all<{ id: string; revision: number }>(
    sql`select id, revision from items where ${inList('id', ids)}`,
  )
  const revisions = new Map(rows.map(({ id, revision }) => [id, revision]))
  return unit.findIndex(
    (change) => replacing.includes(change) && revisions.get(change.itemId) !== change.expectedRevision,
  )
}

/** The index of the first change whose list is gone or has another version than the change was validated against. */
async function outdatedList(db: Queries, unit: readonly ItemChange[]): Promise<number> {
  const ids = [...new Set(unit.map(({ list }) => list.id))]
  const rows = await db.all<{ id: string; config_version: number }>(
    sql`select id, config_version from lists where ${inList('id', ids)}`,
  )
  const versions = new Map(rows.map((row) => [row.id, row.config_version]))
  return unit.findIndex(({ list }) => versions.get(list.id) !== list.configVersion)
}
