import { toNumber } from '../columns.ts'
import type { Queries } from '../database.ts'
import { hasCode } from '../database-errors.ts'
import { raw, sql } from '../sql/sql.ts'

// An index of the parts of texts, which finds the entries of indexes whose text contains another one. It costs every write of a text,
// so only operators turn it on ("listd db parts-index"). No migration knows it: whoever reads asks whether it is there.

/** `unfinished`: its build has ended before it was done, so that it serves nothing. */
export type PartsIndexState = 'absent' | 'building' | 'unfinished' | 'ready'

export const partsIndexName = 'index_values_parts_index'

/**
 * The entries of one index that the parts index finds, as a condition on rows of `index_values`. No other index has this expression,
 * so that Postgres does not take one for better that it would read to its end.
 */
export const partsIndexId = (row: string) => `(${row}.index_id || '')`

/** Text with an index of one type, and with trigrams. They are shipped with Postgres, in some systems as a package of their own. */
const extensions = ['btree_gin', 'pg_trgm'] as const

/** @returns null: there is none that serves; `anyScript`: whether it has trigrams of other letters than those of ASCII, too */
export async function findPartsIndex(db: Queries): Promise<{ anyScript: boolean } | null> {
  if (!db.dialect.indexesParts) return null
  const row = await db.get(sql`select case when d.datctype in ('C', 'POSIX') then 0 else 1 end as any_script
    from pg_index i, pg_database d
    where i.indexrelid = to_regclass(${partsIndexName}) and i.indisvalid and d.datname = current_database()`)
  return row ? { anyScript: toNumber(row.any_script) === 1 } : null
}

/** What is known of the index, and which of the extensions that it needs the server does not have. */
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

/** How many lists have more items than that, and texts to filter by. It reads all lists, for the doctor. */
export async function countLongListsWithTexts(db: Queries, items: number): Promise<number> {
  const row = await db.get(sql`select count(*) as n from lists l where l.item_count > ${items} and exists
    (select 1 from indexes x where x.list_id = l.id and x.value_type = 'string' and (x.filtering = 1 or x.alias = 1))`)
  return toNumber(row?.n ?? 0)
}

/**
 * Builds the index while services read and write; what an earlier build has left is dropped before. A build whose caller is killed
 * ends within seconds, from Postgres 14 on.
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

/** Drops the index, or what a build has left of it, while services read and write. @param db one connection, as above */
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

/** The build waits for all transactions that began before it. When its connection ends nobody waits for it any more. */
async function withoutLimits(db: Queries): Promise<void> {
  await db.run(sql`set statement_timeout = 0`)
  await db.run(sql`set lock_timeout = 0`)
  try {
    await db.run(sql`set client_connection_check_interval = '2s'`)
  } catch (error) {
    // Postgres 13 does not know it, and some systems cannot do it: then the build goes on without its caller.
    if (!hasCode(error, ['42704', '22023'])) throw error
  }
}
