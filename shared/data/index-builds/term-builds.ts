import type { ListIndex } from '#shared/domain/list/index-fields.ts'
import { itemWords } from '#shared/domain/search/item-words.ts'
import { searchedDigest } from '#shared/domain/search/searched.ts'
import { timedTransaction } from '../background/timed-transaction.ts'
import { toNumber, toText, toTextOrNull } from '../columns.ts'
import { Conflict } from '../conflict.ts'
import type { Database, Queries, Row, Transaction } from '../database.ts'
import { itemTermRows } from '../items/item-rows.ts'
import { type ItemPosition, nextItems, positionIn, type StepSize } from '../items/item-walk.ts'
import { indexTable } from '../lists/columns.ts'
import { repairTerms } from '../lists/list-terms.ts'
import { insertRows } from '../sql/insert-rows.ts'
import { sql } from '../sql/sql.ts'
import { inList } from '../sql/statements.ts'
import type { BatchResult } from './batch.ts'
import { lockUnchanged } from './entries.ts'

/** The build of the words of a list's items, and its progress. */
export type TermBuild = {
  termsId: number
  accountId: string
  listId: string
  /** The searched indexes of the list, as a digest. */
  termsOf: string | null
  /** Grows with every batch. */
  step: number
  position: ItemPosition
  /** Items processed so far. */
  done: number
}

/** The open builds of words. A list whose words are replaced gets another build. */
export async function readTermBuilds(db: Queries, limit: number): Promise<TermBuild[]> {
  const rows =
    await db.all(sql`select b.terms_id, l.account_id, b.list_id, b.step, b.item_range, b.last_created_at, b.last_id, b.done, l.terms_of
    from term_builds b join lists l on l.id = b.list_id and l.terms_id = b.terms_id order by b.terms_id limit ${limit}`)
  return rows.map(toBuild)
}

function toBuild(row: Row): TermBuild {
  return {
    termsId: toNumber(row.terms_id),
    accountId: toText(row.account_id),
    listId: toText(row.list_id),
    termsOf: toTextOrNull(row.terms_of),
    step: toNumber(row.step),
    position: positionIn(row),
    done: toNumber(row.done),
  }
}

/** The progress of the build of words, in items; null: they are not being built. */
export async function findTermBuildProgress(
  db: Queries,
  termsId: number,
): Promise<{ done: number; total: number } | null> {
  const row = await db.get(sql`select done, total from term_builds where terms_id = ${termsId}`)
  return row ? { done: toNumber(row.done), total: toNumber(row.total) } : null
}

/**
 * Writes the words of the next items, in one short transaction, or ends the build when there are no more. Items that changed since
 * they were read, or that have words already, are left out: their writes have written them.
 * @throws Conflict when another process has done this batch, or the words of the list were replaced
 */
export async function buildTermBatch(db: Database, build: TermBuild, size: StepSize): Promise<BatchResult> {
  const indexes = await readIndexes(db, build)
  const found = await nextItems(db, { listId: build.listId, from: build.position }, size)
  if (!found) {
    await endTermBuild(db, build)
    return { status: 'complete' }
  }
  const entries = await readWords(db, indexes, found.ids)
  const { took } = await timedTransaction(db, (tx) => writeBatch(tx, build, { entries, ...found }))
  return { status: 'next', rows: found.ids.length, took }
}

/** @throws Conflict when they are not those of the build */
async function readIndexes(db: Database, { listId, termsOf }: TermBuild): Promise<ListIndex[]> {
  const rows = await db.all(sql`select ${indexTable.selected} from indexes where list_id = ${listId}`)
  const indexes = rows.map(indexTable.fromRow)
  if (searchedDigest(indexes) === termsOf) return indexes
  await repairTerms(db, listId)
  throw new Conflict('build')
}

type Entry = Awaited<ReturnType<typeof readWords>>[number]

async function readWords(db: Queries, indexes: readonly ListIndex[], ids: readonly string[]) {
  const rows = await db.all(sql`select id, revision, data from items where ${inList('id', ids)}`)
  return rows.map((row) => ({
    item: { id: toText(row.id), revision: toNumber(row.revision) },
    words: itemWords(indexes, JSON.parse(toText(row.data))),
  }))
}

type Found = { entries: readonly Entry[]; ids: readonly string[]; position: ItemPosition }

/** Locks rows in the order of all item writes: items, and the build last. */
async function writeBatch(tx: Transaction, { termsId, step }: TermBuild, batch: Found): Promise<void> {
  const { ids, position } = batch
  const current = await lockUnchanged(tx, batch.entries)
  const rows = await tx.all<{ item_id: string }>(
    sql`select item_id from item_terms where ${inList('item_id', ids)} and terms_id = ${termsId} and term = ''`,
  )
  const written = new Set(rows.map(({ item_id }) => item_id))
  const missing = current.filter(({ item }) => !written.has(item.id))
  const terms = missing.map(({ item, words }) => ({ item, terms: { ...words, termsId } }))
  await insertRows(tx, itemTermRows(terms))
  const moved = await tx.run(sql`update term_builds set step = step + 1, item_range = ${position.range},
    last_created_at = ${position.lastCreatedAt}, last_id = ${position.lastId}, done = done + ${ids.length}
    where terms_id = ${termsId} and step = ${step}`)
  if (moved === 0) throw new Conflict('build')
}

async function endTermBuild(db: Database, { termsId, step }: TermBuild): Promise<void> {
  const ended = await db.run(sql`delete from term_builds where terms_id = ${termsId} and step = ${step}`)
  if (ended === 0) throw new Conflict('build')
}
