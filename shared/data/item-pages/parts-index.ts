import { toNumber } from '../columns.ts'
import type { Queries } from '../database.ts'
import { hasCode } from '../database-errors.ts'
import { raw, sql } from '../sql/sql.ts'

// An index of the parts of texts. It finds the entries of indexes whose text contains a given text. It makes every write of a text
// more expensive, so only operators turn it on ("listd db parts-index"). No migration creates it: readers check whether it exists.

/** `unfinished`: its build ended early, so the index cannot be used. */
export type PartsIndexState = 'absent' | 'building' | 'unfinished' | 'ready'

export const partsIndexName = 'index_values_parts_index'

/**
 * The id of a row's index as the parts index contains it, to compare in a condition on rows of `index_values`. No other index has
 * this expression, so Postgres cannot choose one that it would have to read to its end.
 */
export const partsIndexId = (row: string) => `(${row}.index_id || '')`

/** For a GIN index of whole texts, and of trigrams. They are shipped with Postgres, on some systems in a separate package. */
const extensions = ['btree_gin', 'pg_trgm'] as const

/** @returns null: no usable index exists; `anyScript`: whether it also has trigrams of letters outside ASCII */
export async function findPartsIndex(db: Queries): Promise<{ anyScript: boolean } | null> {
  if (!db.dialect.indexesParts) return null
  const row = await db.get(sql`select case when d.datctype in ('C', 'POSIX') then 0 else 1 end as any_script
    from pg_index i, pg_database d
    where i.indexrelid = to_regclass(${partsIndexName}) and i.indisvalid and d.datname = current_database()`)
  return row ? { anyScript: toNumber(row.any_script) === 1 } : null
}

/** The state of the index, and the extensions that it needs and the server lacks. */
export async function readPartsIndex(db: Queries): Promise<{ state: PartsIndexState; missing: string[] }> {
  const found = await db.get(sql`select case when i.indisvalid then 1 else 0 end as valid,
      (select count(*) from pg_stat_progress_create_index p where p.index_relid = i.indexrelid) as building
    from pg_index i where i.indexrelid = to_regclass(${partsIndexName})`)
  const available = await db.all(sql`select name from pg_available_extensions`)
  const names = new Set(available.map(({ name }) => name))
  const missing = extensions.filter((name) => !names.has(name))
  if (!found) return { state: 'absent', missing }
  if (toNumber(found.valid) === 1) return { state: 'ready', missing }
  return { state: toNumber(found.building) > 0 ? 'building' : 'unfinished', missing }
}

/** How many lists have more than this many items, and an index of texts that serves filters. Reads all lists, for the doctor. */
export async function countLongListsWithTexts(db: Queries, items: number): Promise<number> {
  const row = await db.get(sql`select count(*) as n from lists l where l.item_count > ${items} and exists
    (select 1 from indexes x where x.list_id = l.id and x.value_type = 'string' and (x.filtering = 1 or x.alias = 1))`)
  return toNumber(row?.n ?? 0)
}

/**
 * Builds the index while services read and write. An index that an earlier build has left is dropped first. From Postgres 14 on, a
 * build whose caller is killed ends within seconds.
 * @param db one connection, which has no time limits afterwards
 * @throws Error with a sentence when the server lacks an extension, or its user may not create it
 */
export async function buildPartsIndex(db: Queries): Promise<void> {
  const { missing } = await readPartsIndex(db)
  if (missing.length > 0)
    throw new Error(
      `the server does not have the extension ${missing.join(' and ')}. Install it there (postgresql-contrib).`,
    )
  await createExtensions(db)
  await withoutLimits(db)
  await dropIndex(db)
  await db.run(sql`create index concurrently ${raw(partsIndexName)} on index_values
    using gin ((index_id || ''), filter_key gin_trgm_ops)`)
  await db.run(sql`analyze index_values`)
}

/** Drops the index, also an unfinished one, while services read and write. @param db one connection, as above */
export async function dropPartsIndex(db: Queries): Promise<void> {
  await withoutLimits(db)
  await dropIndex(db)
}

const dropIndex = (db: Queries) => db.run(sql`drop index concurrently if exists ${raw(partsIndexName)}`)

async function createExtensions(db: Queries): Promise<void> {
  for (const name of extensions) {
    try {
      await db.run(sql`create extension if not exists ${raw(name)}`)
    } catch (cause) {
      const statements = extensions.map((one) => `create extension if not exists ${one};`).join(' ')
      const message = `the user of LISTD_DATABASE_URL may not create the extension ${name}. Have an administrator of the server run "${statements}" in this database.`
      throw new Error(message, { cause })
    }
  }
}

/**
 * Removes the time limits, because a build waits for all transactions that began before it. Postgres checks every 2 s whether the
 * client is still connected, and ends the build if it is not.
 */
async function withoutLimits(db: Queries): Promise<void> {
  await db.run(sql`set statement_timeout = 0`)
  await db.run(sql`set lock_timeout = 0`)
  try {
    await db.run(sql`set client_connection_check_interval = '2s'`)
  } catch (error) {
    // Postgres 13 does not have this setting, and some systems do not support it: there the build continues without its caller.
    if (!hasCode(error, ['42704', '22023'])) throw error
  }
}
