import type { Step } from '../drivers/apply-writes.ts'
import { joinSql, sql } from '../sql/sql.ts'
import { aliasHash } from './alias-hash.ts'
import type { ItemChange } from './item-change.ts'

/**
 * What a unit was computed from beside the items that it changes, and what has to be so at its commit still: an item of a revision, or
 * that there was none with this id or alias.
 */
export type ReadProof = { listId: string } & (
  | { itemId: string; revision: number | null }
  | { alias: string /** Of the entries of the list's alias index. */; valuesId: string }
)

/** The proofs of a unit, and its own changes. */
export type UnitProofs = { proofs: readonly ReadProof[]; own: readonly ItemChange[] }

/** Proves the items that were there, behind the locks of those that are changed. */
export function presentItems(units: readonly UnitProofs[]): Step[] {
  const rows = units.flatMap(({ proofs }) =>
    proofs.flatMap((proof) =>
      'itemId' in proof && proof.revision !== null ? [{ id: proof.itemId, revision: proof.revision }] : [],
    ),
  )
  return rows.length > 0 ? [{ unchanged: { table: 'items', rows } }] : []
}

/**
 * Proves that items are still not there, beside those of the unit itself. Whoever creates one updates its list, so the lists are locked
 * first, behind what is inserted: the others insert before they wait for a list.
 * @param changes all that is committed together
 */
export function absentItems(units: readonly UnitProofs[], changes: readonly ItemChange[]): Step[] {
  const proven = units.flatMap(({ proofs, own }) => proofs.filter(isOfAbsence).map((proof) => ({ proof, own })))
  if (proven.length === 0) return []
  const lists = new Set([...proven.map(({ proof }) => proof.listId), ...changes.map(({ list }) => list.id)])
  return [{ lock: { table: 'lists', ids: [...lists].sort() } }, ...proven.map(({ proof, own }) => isAbsent(proof, own))]
}

const isOfAbsence = (proof: ReadProof) => 'alias' in proof || proof.revision === null

function isAbsent(proof: ReadProof, own: readonly ItemChange[]): Step {
  const others = own.map(({ itemId }) => sql`and item_id <> ${itemId}`)
  const found =
    'alias' in proof
      ? sql`select 1 from index_values
          where index_id = ${proof.valuesId} and alias_hash = ${aliasHash(proof.alias)} ${joinSql(others, ' ')}`
      : sql`select 1 from items where id = ${proof.itemId}`
  return { holds: sql`select id from lists where id = ${proof.listId} and not exists (${found})` }
}
