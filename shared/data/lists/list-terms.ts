import { searchedDigest, termsIdOf } from '#shared/domain/search/searched.ts'
import { toNumber, toNumberOrNull, toText, toTextOrNull } from '../columns.ts'
import type { Database, Transaction } from '../database.ts'
import { fromFirstItem } from '../items/item-walk.ts'
import { insertRows, rowMapper, upsertRows } from '../sql/insert-rows.ts'
import { lockRows } from '../sql/lock-rows.ts'
import { sql } from '../sql/sql.ts'
import { inList, updateFrom, valuesTable } from '../sql/statements.ts'
import { indexTable } from './columns.ts'

/** The ids of the words of a list's items before and after a change of its searched indexes; null: no words. */
type TermsChange = {
  listId: string
  before: number | null
  after: number | null
  termsOf: string | null
  items: number
}

/**
 * Replaces the words of the items of lists, because their searched indexes have changed: the old words are purged, and those of stored
 * items are built. Called after the updates of the lists' versions, which lock their rows, and of their indexes.
 */
export async function replaceTerms(tx: Transaction, listIds: readonly string[]): Promise<void> {
  const changes = await readChanges(tx, listIds)
  await endTerms(
    tx,
    changes.map(({ before }) => before),
  )
  await tx.run(
    updateFrom({
      table: 'lists',
      set: { terms_id: sql`input.terms_id`, terms_of: sql`input.terms_of` },
      from: valuesTable(
        { id: 'text', terms_id: 'int', terms_of: 'text' },
        changes.map(({ listId, after, termsOf }) => [listId, after, termsOf]),
      ),
      where: sql`lists.id = input.id`,
    }),
  )
  await insertRows(tx, buildRows(changes.filter(({ after, items }) => after !== null && items > 0)))
}

/**
 * The same for a list that the previous version, which runs together with this one during an upgrade, has created or whose searched indexes
 * it has changed. Otherwise nothing is written.
 */
export async function repairTerms(db: Database, listId: string): Promise<void> {
  await db.transaction(async (tx) => {
    await lockRows(tx, 'lists', [listId])
    const list = await tx.get(sql`select terms_of from lists where id = ${listId}`)
    if (!list) return
    const indexes = await tx.all(sql`select ${indexTable.selected} from indexes where list_id = ${listId}`)
    if (searchedDigest(indexes.map(indexTable.fromRow)) === toTextOrNull(list.terms_of)) return
    await tx.run(sql`update lists set config_version = config_version + 1 where id = ${listId}`)
    await replaceTerms(tx, [listId])
  })
}

/** Ends the builds of words that no list has any more, and schedules their purge. @param termsIds null: a list has had none */
export async function endTerms(tx: Transaction, termsIds: readonly (number | null)[]): Promise<void> {
  const ended = termsIds.filter((termsId) => termsId !== null)
  if (ended.length === 0) return
  await tx.run(sql`delete from term_builds where ${inList('terms_id', ended)}`)
  await upsertRows(tx, purgeRows(ended), { key: ['terms_id'], changed: {} })
}

async function readChanges(tx: Transaction, listIds: readonly string[]): Promise<TermsChange[]> {
  const indexes = await tx.all(sql`select ${indexTable.selected} from indexes where ${inList('list_id', listIds)}`)
  const indexesOf = Map.groupBy(indexes.map(indexTable.fromRow), ({ listId }) => listId)
  const lists = await tx.all(sql`select id, config_version, terms_id, item_count from lists
    where ${inList('id', listIds)} order by id`)
  return lists.map((row) => {
    const listId = toText(row.id)
    const termsOf = searchedDigest(indexesOf.get(listId) ?? [])
    const after = termsOf === null ? null : termsIdOf({ id: listId, configVersion: toNumber(row.config_version) })
    return { listId, before: toNumberOrNull(row.terms_id), after, termsOf, items: toNumber(row.item_count) }
  })
}

const purgeRows = rowMapper<number>('term_purges', { terms_id: (termsId) => termsId })

const buildRows = rowMapper<TermsChange>('term_builds', {
  terms_id: ({ after }) => after,
  list_id: ({ listId }) => listId,
  step: () => 0,
  ...fromFirstItem,
  done: () => 0,
  total: ({ items }) => items,
})
