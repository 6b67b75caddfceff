import type { List } from '#shared/domain/list/list.ts'
import { pathNameKey } from '#shared/domain/list/path-name.ts'
import { caseFold } from '#shared/domain/text/case-fold.ts'

// The rows of lists, for all code that writes them.

/** The id, and the columns that a schema sync may change. */
export const changedListColumns = [
  'id', 'updated_at', 'name', 'name_key', 'description', 'tags', 'schema', 'scope', 'readonly', 'realtime', 'protected',
  'indexable', 'generative', 'generative_prompt',
] as const // biome-ignore format: one row of the table

function changedListRow(list: List): unknown[] {
  return [
    list.id, list.updatedAt, list.name, caseFold(list.name), list.description, JSON.stringify(list.tags), list.schema,
    list.scope, list.readonly, list.realtime, list.protected, list.indexable, list.generative, list.generativePrompt,
  ] // biome-ignore format: in the order of changedListColumns
}

/** The id, and the columns that a request may change. */
export const settingColumns = [...changedListColumns, 'path_name', 'path_key', 'pinned', 'activated'] as const

export function settingRow(list: List): unknown[] {
  return [...changedListRow(list), list.pathName, pathNameKey(list.pathName), list.pinned, list.activated]
}

export const listColumns = [...settingColumns, 'account_id', 'created_at', 'item_count', 'config_version'] as const

export function listRow(list: List): unknown[] {
  return [...settingRow(list), list.accountId, list.createdAt, list.itemCount, list.configVersion]
}
