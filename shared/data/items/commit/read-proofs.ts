import type { Queries } from '../../database.ts'
import type { Step } from '../../drivers/apply-writes.ts'
import { joinSql, sql } from '../../sql/sql.ts'
import { inList, unindexed } from '../../sql/statements.ts'
import { aliasHash } from '../alias-hash.ts'
import type { ItemChange } from '../item-change.ts'

/**
 * A read that a unit depends on, apart from the items that it changes, and that must still hold at its commit: an item at a revision, or no
 * item of the list with this id or alias. An item of another list may have the id.
 */
export type ReadProof = { listId: string } & (
  | { itemId: string; revision: number | null }
  | { alias: string /** Of the entries of the list's alias index. */; valuesId: string }
)

/** The proofs of a unit, and its own changes. */
export type UnitProofs = { proofs: readonly ReadProof[]; own: readonly ItemChange[] }

/** Verifies the items that existed, after locking those that are changed. */
export function presentItems(units: readonly UnitProofs[]): Step[] {
  const rows = units.flatMap(({ proofs }) =>
    proofs.flatMap((proof) =>
      'itemId' in proof && proof.revision !== null ? [{ id: proof.itemId, revision: proof.revision }] : [],
    ),
  )
  return rows.length > 0 ? [{ unchanged: { table: 'items', rows } }] : []
}

/**
 * Verifies that items still do not exist, apart from those of the unit itself. A create updates its list, so the lists are locked first,
 * after the inserts, because other transactions also insert before they wait for a list.
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
      : sql`select 1 from items where id = ${proof.itemId} and ${unindexed('list_id')} = ${proof.listId}`
  return { holds: sql`select id from lists where id = ${proof.listId} and not exists (${found})` }
}

/** The position of the first proof of a failed unit that does not hold now; undefined: all hold. */
export async function findFailedProof(db: Queries, { proofs, own }: UnitProofs): Promise<number | undefined> {
  const items = await itemsOf(db, proofs)
  const taken = await takenAliases(db, { proofs, own })
  const failed = proofs.findIndex((proof) => {
    if ('alias' in proof) return taken.has(aliasKey(proof.valuesId, aliasHash(proof.alias)))
    const item = items.get(proof.itemId)
    return proof.revision === null ? item?.list_id === proof.listId : item?.revision !== proof.revision
  })
  return failed < 0 ? undefined : failed
}

type ProvenItem = { id: string; list_id: string; revision: number }

/** The items of proofs, by id. */
async function itemsOf(db: Queries, proofs: readonly ReadProof[]): Promise<Map<string, ProvenItem>> {
  const ids = proofs.flatMap((proof) => ('itemId' in proof ? [proof.itemId] : []))
  if (ids.length === 0) return new Map()
  const rows = await db.all<ProvenItem>(sql`select id, list_id, revision from items where ${inList('id', ids)}`)
  return new Map(rows.map((row) => [row.id, row]))
}

/** The keys of the aliases of proofs that other items have. */
async function takenAliases(db: Queries, { proofs, own }: UnitProofs): Promise<Set<string>> {
  const aliases = proofs.filter((proof) => 'alias' in proof)
  if (aliases.length === 0) return new Set()
  const indexIds = [...new Set(aliases.map(({ valuesId }) => valuesId))]
  const hashes = aliases.map(({ alias }) => aliasHash(alias))
  const rows = await db.all<{ index_id: string; alias_hash: string; item_id: string }>(
    sql`select index_id, alias_hash, item_id from index_values
      where ${inList('index_id', indexIds)} and ${inList('alias_hash', hashes)}`,
  )
  const changed = new Set(own.map(({ itemId }) => itemId))
  const others = rows.filter(({ item_id }) => !changed.has(item_id))
  return new Set(others.map(({ index_id, alias_hash }) => aliasKey(index_id, alias_hash)))
}

const aliasKey = (indexId: string, hash: string) => `${indexId} ${hash}`

/** The position of the proof that an alias is free. */
export function proofOfAlias(
  proofs: readonly ReadProof[],
  { valuesId, alias }: { valuesId: string; alias: string },
): number | undefined {
  const at = proofs.findIndex((proof) => 'alias' in proof && proof.valuesId === valuesId && proof.alias === alias)
  return at < 0 ? undefined : at
}
