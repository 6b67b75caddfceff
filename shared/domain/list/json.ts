import type { List } from './list.ts'
import type { ListIndex } from './list-index.ts'

/** A list as clients see it, as JSON text: its schema keeps the text that was sent (contract 2.1). */
export function serializeList(list: List): string {
  const { id, name, description, tags, pathName, schema, scope, pinned, readonly, realtime } = list
  const { protected: isProtected, indexable, generative, generativePrompt, activated, itemCount } = list
  const before = JSON.stringify({ id, ...times(list), name, description, tags, pathName })
  const flags = { pinned, readonly, realtime, protected: isProtected, indexable }
  const after = JSON.stringify({ scope, ...flags, generative, generativePrompt, activated, itemCount })
  return `${before.slice(0, -1)},"schema":${schema ?? 'null'},${after.slice(1)}`
}

/** An index as clients see it, as JSON text (contract 2.3). */
export function serializeListIndex(index: ListIndex): string {
  const { accountId: _account, listId: _list, createdAt, updatedAt, ...fields } = index
  return JSON.stringify({ ...fields, ...times({ createdAt, updatedAt }) })
}

function times({ createdAt, updatedAt }: { createdAt: number; updatedAt: number }) {
  return { createdAt: new Date(createdAt).toISOString(), updatedAt: new Date(updatedAt).toISOString() }
}
