import { aliasTaken } from '#shared/domain/item/alias-taken.ts'
import { Conflict } from '../../conflict.ts'
import type { Queries } from '../../database.ts'
import { sql } from '../../sql/sql.ts'
import { inList } from '../../sql/statements.ts'
import { aliasHash } from '../alias-hash.ts'
import { hasIdempotencyRecord, type IdempotencyKey } from '../idempotency-records.ts'
import { type ItemChange, isRecreation } from '../item-change.ts'
import { proofOfAlias, type ReadProof } from './read-proofs.ts'
import { RejectedChange } from './rejected-change.ts'

/** ITEM_ALIAS_TAKEN, and the change with an alias that another item already has. */
export class AliasTaken extends RejectedChange {
  constructor(change: number, alias?: string) {
    super(change, 'ITEM_ALIAS_TAKEN', alias === undefined ? {} : aliasTaken(alias))
  }
}

/**
 * Finds the change for which a unit failed with a unique violation; it reads after the rollback.
 * @returns AliasTaken; a Conflict, so that the unit is computed again, when the other item no longer has the alias, a deleted item
 *   exists again, a proof of the unit says that the alias is free, or a request with the key has been answered
 */
export async function violationError(
  db: Queries,
  {
    unit,
    key,
    proofs,
  }: { unit: readonly ItemChange[]; key?: IdempotencyKey | undefined; proofs: readonly ReadProof[] },
): Promise<Error> {
  if (key && (await hasIdempotencyRecord(db, key.keyHash))) return new Conflict('key')
  const restored = await findRestored(db, unit)
  if (restored !== undefined) return new Conflict('item', restored)
  if (unit.length === 1 && proofs.length === 0) return new AliasTaken(0, onlyAlias(unit))
  const aliases = aliasesOf(unit)
  const twice = aliasesTwice(aliases)
  const [taken] = twice.length > 0 ? twice : await findTaken(db, unit, aliases)
  if (!taken) return new Conflict('item')
  const proof = proofOfAlias(proofs, { valuesId: taken.indexId, alias: taken.text })
  // A unit that gives one alias to two of its items would do so again.
  if (twice.length === 0 && proof !== undefined) return new Conflict('item', taken.change, proof)
  return new AliasTaken(taken.change, taken.text)
}

/**
 * The alias errors of a unit, one for each change that has one: first for aliases that an earlier change also sets, then for aliases
 * that another item has.
 */
export async function findAliasesTaken(db: Queries, unit: readonly ItemChange[]): Promise<AliasTaken[]> {
  const aliases = aliasesOf(unit)
  if (aliases.length === 0) return []
  const taken = [...aliasesTwice(aliases), ...(await findTaken(db, unit, aliases))]
  const byChange = new Map(taken.toReversed().map(({ change, text }) => [change, text]))
  return [...new Set(taken.map(({ change }) => change))].map((change) => new AliasTaken(change, byChange.get(change)))
}

/** The alias of a unit that has only one. No lookup is needed to find out which alias is already in use. */
function onlyAlias(unit: readonly ItemChange[]): string | undefined {
  const [alias, ...others] = aliasesOf(unit)
  return others.length === 0 ? alias?.text : undefined
}

/** The first change that recreates a deleted item which another process has restored. */
async function findRestored(db: Queries, unit: readonly ItemChange[]): Promise<number | undefined> {
  const ids = unit.filter(isRecreation).map(({ itemId }) => itemId)
  if (ids.length === 0) return undefined
  const rows = await db.all<{ id: string }>(sql`select id from items where ${inList('id', ids)}`)
  const existing = new Set(rows.map(({ id }) => id))
  const change = unit.findIndex((one) => isRecreation(one) && existing.has(one.itemId))
  return change === -1 ? undefined : change
}

type Alias = { change: number; indexId: string; text: string; hash: string; key: string }

/** The aliases of a unit's items after it: those of the last change of each item. */
function aliasesOf(unit: readonly ItemChange[]): Alias[] {
  const last = new Map(unit.map(({ itemId }, change) => [itemId, change]))
  return unit.flatMap(({ itemId, indexValues }, change) => {
    if (last.get(itemId) !== change) return []
    return indexValues.flatMap(({ indexId, aliasText }) => {
      if (aliasText === null) return []
      const hash = aliasHash(aliasText)
      return [{ change, indexId, text: aliasText, hash, key: `${indexId} ${hash}` }]
    })
  })
}

/** The aliases that an earlier change also sets. */
function aliasesTwice(aliases: readonly Alias[]): Alias[] {
  const seen = new Set<string>()
  return aliases.filter(({ key }) => seen.size === seen.add(key).size)
}

async function findTaken(db: Queries, unit: readonly ItemChange[], aliases: readonly Alias[]): Promise<Alias[]> {
  const indexIds = [...new Set(aliases.map(({ indexId }) => indexId))]
  const hashes = aliases.map(({ hash }) => hash)
  const rows = await db.all<{ index_id: string; item_id: string; alias_hash: string }>(
    sql`select index_id, item_id, alias_hash from index_values
      where ${inList('index_id', indexIds)} and ${inList('alias_hash', hashes)}`,
  )
  const own = new Set(unit.map(({ itemId }) => itemId))
  const taken = new Set(rows.filter((row) => !own.has(row.item_id)).map((row) => `${row.index_id} ${row.alias_hash}`))
  return aliases.filter(({ key }) => taken.has(key))
}
