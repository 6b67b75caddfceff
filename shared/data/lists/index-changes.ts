import type { List } from '#shared/domain/list/fields.ts'
import { type IndexChange, isReadyAtOnce } from '#shared/domain/list/index-build.ts'
import type { ListIndex } from '#shared/domain/list/index-fields.ts'
import { changesWords } from '#shared/domain/search/searched.ts'
import { Conflict } from '../conflict.ts'
import type { Transaction } from '../database.ts'
import { fromFirstItem } from '../items/item-walk.ts'
import { insertRows, rowMapper, upsertRows } from '../sql/insert-rows.ts'
import { raw, sql } from '../sql/sql.ts'
import { inList } from '../sql/statements.ts'
import { assignments } from '../sql/table.ts'
import { indexTable, updatedIndexColumns } from './columns.ts'
import { replaceTerms } from './list-terms.ts'

/**
 * Creates, changes or deletes an index of a list under the next settings version, which every later item write verifies.
 * @param list the list that the change was computed from
 * @throws Conflict when the list has another version by now, has items although the index would be ready without a build, or is gone
 */
export async function writeIndexChange(tx: Transaction, list: List, change: IndexChange): Promise<void> {
  const empty = isReadyAtOnce(change) ? raw(' and item_count = 0') : raw('')
  const changed = await tx.run(sql`update lists set config_version = config_version + 1
    where id = ${list.id} and account_id = ${list.accountId} and config_version = ${list.configVersion}${empty}`)
  if (changed === 0) throw new Conflict('list')
  const { before, after } = change
  if (after === null) await tx.run(sql`delete from indexes where id = ${before?.id}`)
  else if (before === null) await insertRows(tx, indexTable.rows([after]))
  else await tx.run(sql`update indexes set ${assignments(updatedIndexColumns, after)} where id = ${after.id}`)
  await writeBuilds(tx, [{ ...change, items: list.itemCount }])
}

/**
 * Starts the builds that changes of indexes need, ends obsolete ones, and schedules the purge of values that no index has any more.
 * Replaces the words of items if other indexes are searched. A continuing build gets the next step, so that a batch computed before the
 * change is not written. Called after the update of the indexes' lists, whose rows are the lock of all this.
 */
export async function writeBuilds(
  tx: Transaction,
  changes: readonly (IndexChange & { items: number })[],
): Promise<void> {
  const replaced = changes.flatMap(({ before, after }) =>
    before !== null && before.valuesId !== after?.valuesId ? [before] : [],
  )
  const going = changes.flatMap(({ before, after }) =>
    before?.buildStatus === 'building' && before.valuesId === after?.valuesId ? [before.valuesId] : [],
  )
  const started = changes.flatMap(({ before, after, items }) =>
    after?.buildStatus === 'building' && before?.valuesId !== after.valuesId ? [{ index: after, items }] : [],
  )
  if (replaced.length > 0) {
    await tx.run(
      sql`delete from index_builds where ${inList(
        'values_id',
        replaced.map(({ valuesId }) => valuesId),
      )}`,
    )
    await upsertRows(tx, purgeRows(replaced), { key: ['values_id'], changed: {} })
  }
  if (going.length > 0) await tx.run(sql`update index_builds set step = step + 1 where ${inList('values_id', going)}`)
  await insertRows(tx, buildRows(started))
  const otherWords = changes.filter(changesWords).flatMap(({ before, after }) => (after ?? before)?.listId ?? [])
  if (otherWords.length > 0) await replaceTerms(tx, [...new Set(otherWords)])
}

const purgeRows = rowMapper<ListIndex>('index_value_purges', { values_id: ({ valuesId }) => valuesId })

const buildRows = rowMapper<{ index: ListIndex; items: number }>('index_builds', {
  values_id: ({ index }) => index.valuesId,
  index_id: ({ index }) => index.id,
  list_id: ({ index }) => index.listId,
  step: () => 0,
  ...fromFirstItem,
  done: () => 0,
  total: ({ items }) => items,
})
