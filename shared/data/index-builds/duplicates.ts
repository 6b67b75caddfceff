import type { ListIndex } from '#shared/domain/list/index-fields.ts'
import type { Database } from '../database.ts'
import { aliasHash } from '../items/alias-hash.ts'
import { sql } from '../sql/sql.ts'
import { inList } from '../sql/statements.ts'
import type { BuildFailure } from './builds.ts'
import { type BuildEntry, lockUnchanged } from './entries.ts'

const maxReported = 20

/**
 * The aliases that several items have, after a batch met a unique violation. It reads after the rollback, because Postgres rejects every
 * statement after a failed one.
 * @returns null if no two items have the same alias any more
 */
export function findDuplicates(
  db: Database,
  index: ListIndex,
  entries: readonly BuildEntry[],
): Promise<BuildFailure | null> {
  return db.transaction(async (tx) => {
    const holders = holdersOf(await lockUnchanged(tx, entries))
    const stored = await tx.all<StoredAlias>(sql`select item_id, alias_hash from index_values
      where index_id = ${index.valuesId} and ${inList('alias_hash', [...holders.keys()])}`)
    for (const row of stored) holders.get(row.alias_hash)?.itemIds.add(row.item_id)
    return failureOf([...holders.values()])
  })
}

type StoredAlias = { item_id: string; alias_hash: string }

type Holders = { value: string; itemIds: Set<string> }

/** The items of each alias, by its hash. */
function holdersOf(entries: readonly BuildEntry[]): Map<string, Holders> {
  const holders = new Map<string, Holders>()
  for (const { item, value } of entries) {
    if (value?.aliasText == null) continue
    const hash = aliasHash(value.aliasText)
    const holder = holders.get(hash) ?? { value: value.aliasText, itemIds: new Set() }
    holder.itemIds.add(item.id)
    holders.set(hash, holder)
  }
  return holders
}

function failureOf(holders: readonly Holders[]): BuildFailure | null {
  const duplicates = holders.filter(({ itemIds }) => itemIds.size > 1)
  if (duplicates.length === 0) return null
  return {
    reason: 'duplicate-alias',
    message: 'Several items have the same value, so it cannot be the alias of one of them.',
    duplicates: duplicates.slice(0, maxReported).map(({ value, itemIds }) => ({ value, itemIds: [...itemIds] })),
  }
}
