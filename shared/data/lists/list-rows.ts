import type { List } from '#shared/domain/list/list.ts'
import { pathNameKey } from '#shared/domain/list/path-name.ts'
import { caseFold } from '#shared/domain/text/case-fold.ts'
import { type Columns, rowMapper } from '../sql/insert-rows.ts'

// The rows of lists, for all code that writes them.

/** The columns that a schema sync may change. */
export const changedListColumns = {
  updated_at: (list) => list.updatedAt,
  name: (list) => list.name,
  name_key: (list) => caseFold(list.name),
  description: (list) => list.description,
  tags: (list) => JSON.stringify(list.tags),
  schema: (list) => list.schema,
  scope: (list) => list.scope,
  readonly: (list) => list.readonly,
  realtime: (list) => list.realtime,
  protected: (list) => list.protected,
  indexable: (list) => list.indexable,
  generative: (list) => list.generative,
  generative_prompt: (list) => list.generativePrompt,
} satisfies Columns<List>

/** The columns that a request may change. */
export const settingColumns = {
  ...changedListColumns,
  path_name: (list) => list.pathName,
  path_key: (list) => pathNameKey(list.pathName),
  pinned: (list) => list.pinned,
  activated: (list) => list.activated,
} satisfies Columns<List>

export const listRows = rowMapper('lists', {
  id: (list) => list.id,
  ...settingColumns,
  account_id: (list) => list.accountId,
  created_at: (list) => list.createdAt,
  item_count: (list) => list.itemCount,
  config_version: (list) => list.configVersion,
} satisfies Columns<List>)
