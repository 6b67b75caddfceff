import type { Knex } from 'knex'
import { numberKey } from '#shared/domain/item/index-key.ts'
import { toBoolean, toNumber, toText } from '../columns.ts'
import type { Row, Transaction } from '../database.ts'
import type { ColumnTypes } from '../dialect.ts'
import { raw, sql } from '../sql/sql.ts'
import { idTable, updateFrom, valuesTable } from '../sql/statements.ts'
import type { Batch, Moved } from './migration.ts'
import { extendTables } from './tables.ts'

/**
 * Pages of items filter and order by index values: every item has an entry in each index, with the flags that pages filter by,
 * and numbers are ordered by keys as text is. The entries of one combination of flags are one range of the index, in order.
 */
export function up(build: Knex, types: ColumnTypes): Knex.Sql[] {
  return extendTables(build, types, {
    index_values(t) {
      t.flag('activated').notNullable().defaultTo(1)
      t.flag('readonly').notNullable().defaultTo(0)
      t.dropIndex(['index_id', 'number_value', 'order_key', 'item_id'])
      t.index(['index_id', 'activated', 'readonly', 'order_key', 'item_id'], { name: 'index_values_page_index' })
    },
  })
}

/** Behind `fillEntries`, which reads the numbers. */
export function dropNumberValues(build: Knex): Knex.Sql[] {
  return [build.raw('alter table index_values drop column number_value').toSQL()]
}

/** Fills the flags and the keys of numbers. */
export async function fillEntries(tx: Transaction, { after, limit }: Batch): Promise<Moved> {
  const [itemId, indexId] = after === null ? ['', ''] : JSON.parse(after)
  const rows =
    await tx.all(sql`select v.item_id, v.index_id, v.number_value, v.order_key, x.value_type, i.activated, i.readonly
    from index_values v cross join items i cross join indexes x
    where i.id = v.item_id and x.list_id = i.list_id and x.values_id = v.index_id
      and v.item_id >= ${itemId} and (v.item_id, v.index_id) > (${itemId}, ${indexId})
    order by v.item_id, v.index_id limit ${limit}`)
  const last = rows.at(-1)
  if (!last) return { rows: 0, after: null }
  await tx.run(updateEntries(rows))
  return { rows: rows.length, after: JSON.stringify([last.item_id, last.index_id]) }
}

/** Adds the entries of items without a value. */
export async function addEntries(tx: Transaction, { after, limit }: Batch): Promise<Moved> {
  const rows = await tx.all(sql`select id from items where id > ${after ?? ''} order by id limit ${limit}`)
  const last = rows.at(-1)
  if (!last) return { rows: 0, after: null }
  await tx.run(insertEntries(rows.map(({ id }) => toText(id))))
  return { rows: rows.length, after: toText(last.id) }
}

function updateEntries(rows: readonly Row[]) {
  const entries = rows.map((row) => [
    toText(row.item_id),
    toText(row.index_id),
    Number(toBoolean(row.activated)),
    Number(toBoolean(row.readonly)),
    orderKeyOf(row),
  ])
  return updateFrom({
    table: 'index_values',
    set: {
      activated: raw('input.activated'),
      readonly: raw('input.readonly'),
      order_key: raw('input.order_key'),
    },
    from: valuesTable(
      { item_id: 'text', index_id: 'text', activated: 'int', readonly: 'int', order_key: 'text' },
      entries,
    ),
    where: raw('index_values.item_id = input.item_id and index_values.index_id = input.index_id'),
  })
}

/** An alias of a number or date had the key of its text, which is still its filter key; an alias of another type has no order. */
function orderKeyOf({ number_value: number, value_type: type, order_key: key }: Row): unknown {
  if (number !== null) return numberKey(toNumber(number))
  return type === 'string' ? key : null
}

/** The entries of an index whose build has failed are all made by the next one. */
function insertEntries(ids: readonly string[]) {
  return sql`insert into index_values (item_id, index_id, activated, readonly)
    select i.id, x.values_id, i.activated, i.readonly
    from ${idTable(ids)} join items i on i.id = input.id join indexes x on x.list_id = i.list_id
    where x.build_status <> 'failed' and not exists
      (select 1 from index_values v where v.item_id = i.id and v.index_id = x.values_id)`
}
