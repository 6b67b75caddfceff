import type { Knex } from 'knex'
import { searchedDigest, termsIdOf } from '#shared/domain/search/searched.ts'
import { toNumber, toText } from '../columns.ts'
import type { Row, Transaction } from '../database.ts'
import type { ColumnTypes } from '../dialect.ts'
import { insertRows, rowMapper } from '../sql/insert-rows.ts'
import { lockRows } from '../sql/lock-rows.ts'
import { sql } from '../sql/sql.ts'
import { inList, updateFrom, valuesTable } from '../sql/statements.ts'
import type { Batch, Moved } from './migration.ts'
import { createTables, extendTables } from './tables.ts'

/**
 * Items are found by their words. A row of `item_terms` is a word of an item; `band` and `brevity` order the items that have a word
 * by what it tells of them. The row with the empty term says how many words the item has (`frequency`), and of which of its revisions
 * the rows are (`-band`): older code changes items and leaves their words. `terms_of` tells which indexes the words of a list come
 * from, so that a change of these by older code shows.
 */
export function up(build: Knex, types: ColumnTypes): Knex.Sql[] {
  return [
    ...createTables(build, types, {
      item_terms(t) {
        t.text('item_id', 36).notNullable()
        t.int('terms_id').notNullable()
        t.text('term', 100).notNullable()
        t.int('band').notNullable()
        t.int('brevity').notNullable()
        t.int('frequency').notNullable()
        t.primary(['item_id', 'terms_id', 'term'])
        t.byPrimaryKey()
        t.index(['terms_id', 'term', 'band', 'brevity', 'item_id', 'frequency'], { name: 'item_terms_search_index' })
      },
      term_builds(t) {
        t.int('terms_id').notNullable()
        t.text('list_id', 36).notNullable()
        t.int('step').notNullable()
        t.int('item_range').notNullable()
        t.int('last_created_at').notNullable()
        t.text('last_id', 36).notNullable()
        t.int('done').notNullable()
        t.int('total').notNullable()
        t.primary(['terms_id'])
        t.index(['list_id'])
      },
      term_purges(t) {
        t.int('terms_id').notNullable()
        t.primary(['terms_id'])
      },
    }),
    ...extendTables(build, types, {
      lists(t) {
        t.int('terms_id')
        t.text('terms_of', 32)
      },
    }),
  ]
}

/** Begins to build the words of lists that have indexes with `searching`; the gateways do it. */
export async function beginTermBuilds(tx: Transaction, { after, limit }: Batch): Promise<Moved> {
  const found = await tx.all(sql`select id from lists where id > ${after ?? ''} order by id limit ${limit}`)
  const ids = found.map(({ id }) => toText(id))
  const last = ids.at(-1)
  if (last === undefined) return { rows: 0, after: null }
  await lockRows(tx, 'lists', ids)
  const searched = await readSearched(tx, ids)
  if (searched.length > 0) await beginBuilds(tx, searched)
  return { rows: ids.length, after: last }
}

type SearchedList = { id: string; items: number; termsId: number; termsOf: string }

async function readSearched(tx: Transaction, ids: readonly string[]): Promise<SearchedList[]> {
  const indexes = await tx.all(sql`select list_id, values_id from indexes
    where ${inList('list_id', ids)} and searching = 1 and activated = 1 and guard = 0`)
  const valuesOf = Map.groupBy(indexes, ({ list_id }) => toText(list_id))
  const lists = await tx.all(sql`select id, config_version, item_count from lists
    where ${inList('id', [...valuesOf.keys()])}`)
  return lists.flatMap((row) => {
    const id = toText(row.id)
    const termsOf = searchedDigest((valuesOf.get(id) ?? []).map(toSearched))
    const termsId = termsIdOf({ id, configVersion: toNumber(row.config_version) })
    return termsOf === null ? [] : [{ id, items: toNumber(row.item_count), termsId, termsOf }]
  })
}

function toSearched({ values_id }: Row) {
  return { searching: true, activated: true, guard: false, valuesId: toText(values_id) }
}

async function beginBuilds(tx: Transaction, lists: readonly SearchedList[]): Promise<void> {
  const ids = lists.map(({ id }) => id)
  await tx.run(
    updateFrom({
      table: 'lists',
      set: { terms_id: sql`input.terms_id`, terms_of: sql`input.terms_of` },
      from: valuesTable(
        { id: 'text', terms_id: 'int', terms_of: 'text' },
        lists.map(({ id, termsId, termsOf }) => [id, termsId, termsOf]),
      ),
      where: sql`lists.id = input.id`,
    }),
  )
  await tx.run(sql`delete from term_builds where ${inList('list_id', ids)}`)
  await insertRows(tx, buildRows(lists.filter(({ items }) => items > 0)))
}

const buildRows = rowMapper<SearchedList>('term_builds', {
  terms_id: ({ termsId }) => termsId,
  list_id: ({ id }) => id,
  step: () => 0,
  item_range: () => 0,
  last_created_at: () => 0,
  last_id: () => '',
  done: () => 0,
  total: ({ items }) => items,
})
