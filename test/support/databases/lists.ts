import { newId } from '#shared/crypto/ids.ts'
import type { Database } from '#shared/data/database.ts'
import { pathNameKey } from '#shared/domain/list/path-name.ts'
import { caseFold } from '#shared/domain/text/case-fold.ts'

type ListRow = { pathName?: string; schema?: unknown; readonly?: boolean; activated?: boolean; indexes?: IndexRow[] }
type IndexRow = { pathName: string; pointer: string; alias?: boolean; guard?: boolean; valueType?: string }

/** A list of an account, written directly into its table. */
export async function addList(db: Database, accountId: string, list: ListRow = {}): Promise<string> {
  const { pathName = 'recipes', schema, readonly = false, activated = true, indexes = [] } = list
  const id = newId()
  const name = `The ${pathName}`
  const stamps = { account_id: accountId, created_at: Date.now(), updated_at: Date.now() }
  await db.run(
    db.build('lists').insert({
      ...{ id, ...stamps, name, name_key: caseFold(name), description: '', tags: '[]' },
      ...{ path_name: pathName, path_key: pathNameKey(pathName), pinned: false, readonly, realtime: false },
      ...{ protected: false, indexable: true, generative: false, activated },
      schema: schema === undefined ? null : JSON.stringify(schema),
    }),
  )
  for (const index of indexes) await db.run(db.build('indexes').insert(indexRow(index, { ...stamps, list_id: id })))
  return id
}

function indexRow({ pathName, pointer, alias = false, guard = false, valueType = 'string' }: IndexRow, owner: object) {
  return {
    ...{ id: newId(), ...owner, name: pathName, description: '', tags: '[]', path_name: pathName, pointer },
    ...{ value_type: valueType, alias, sorting: false, filtering: false, searching: false, guard },
    ...{ default_order_direction: 'asc', activated: true, build_status: 'ready' },
  }
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
