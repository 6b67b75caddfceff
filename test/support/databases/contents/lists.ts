import { newId } from '#shared/crypto/ids.ts'
import type { Database } from '#shared/data/database.ts'
import { indexTable, listTable } from '#shared/data/lists/columns.ts'
import { replaceTerms } from '#shared/data/lists/list-terms.ts'
import { insertRows } from '#shared/data/sql/insert-rows.ts'
import { initialValues } from '#shared/domain/fields/values.ts'
import { indexFields, type ListIndex } from '#shared/domain/list/index-fields.ts'
import { newList } from '#shared/domain/list/settings.ts'
import { isSearched } from '#shared/domain/search/searched.ts'

type NewTestList = {
  pathName?: string
  schema?: unknown
  scope?: string
  readonly?: boolean
  activated?: boolean
  indexes?: NewTestIndex[]
}
type NewTestIndex = {
  pathName: string
  pointer: string
  scope?: string
  alias?: boolean
  guard?: boolean
  sorting?: boolean
  filtering?: boolean
  searching?: boolean
  activated?: boolean
  valueType?: string
  defaultOrderDirection?: string
}

/** A list of an account, written directly into its table. */
export async function addList(db: Database, accountId: string, list: NewTestList = {}): Promise<string> {
  const { pathName = 'recipes', schema, indexes = [], ...flags } = list
  const own = { id: newId(), accountId, at: Date.now() }
  const body = { pathName, name: `The ${pathName}`, schema: schema === undefined ? null : JSON.stringify(schema) }
  const rows = indexes.map((index) => newIndex(index, own))
  await db.transaction(async (tx) => {
    await insertRows(tx, listTable.rows([newList({ ...body, ...flags }, own)]))
    await insertRows(tx, indexTable.rows(rows))
    if (rows.some(isSearched)) await replaceTerms(tx, [own.id])
  })
  return own.id
}

function newIndex(
  index: NewTestIndex,
  { id: listId, accountId, at }: { id: string; accountId: string; at: number },
): ListIndex {
  const id = newId()
  const own = { id, valuesId: id, accountId, listId, createdAt: at, updatedAt: at }
  return { ...initialValues(indexFields), name: index.pathName, ...index, ...own } as ListIndex
}

/** The rows of an account's lists, in the order of their path names. */
export function listsOf(db: Database, { accountId }: { accountId: string }) {
  return db.all<Record<string, string | number | null>>('select * from lists where account_id = ? order by path_key', [
    accountId,
  ])
}

/** Changes a list's settings, and increments its version as every change does. */
export async function modifyList(db: Database, listId: string, columns: Record<string, unknown>): Promise<void> {
  await db.run(db.build('lists').where({ id: listId }).update(columns))
  await db.run('update lists set config_version = config_version + 1 where id = ?', [listId])
}
