import type { List } from './list.ts'
import type { ListIndex } from './list-index.ts'

/** A list as clients see it, as JSON text: its schema keeps the text that was sent (contract 2.1). */
export function listJson(list: List): string {
  const { accountId: _account, configVersion: _version, createdAt, updatedAt, schema, ...fields } = list
  const json = JSON.stringify({ ...fields, ...times({ createdAt, updatedAt }) })
  return `${json.slice(0, -1)},"schema":${schema ?? 'null'}}`
}

/** An index as clients see it, as JSON text (contract 2.3). */
export function listIndexJson(index: ListIndex): string {
  const { accountId: _account, listId: _list, createdAt, updatedAt, ...fields } = index
  return JSON.stringify({ ...fields, ...times({ createdAt, updatedAt }) })
}

function times({ createdAt, updatedAt }: { createdAt: number; updatedAt: number }) {
  return { createdAt: new Date(createdAt).toISOString(), updatedAt: new Date(updatedAt).toISOString() }
}
