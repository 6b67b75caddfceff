import type { ItemBody } from '#shared/domain/item/fields.ts'
import { indexValues } from '#shared/domain/item/index-value.ts'
import type { Item } from '#shared/domain/item/item.ts'
import { nextItem } from '#shared/domain/item/next-item.ts'
import { laterThan } from '#shared/domain/later-than.ts'
import { itemWords, noWords } from '#shared/domain/search/item-words.ts'
import { AppError } from '#shared/errors.ts'
import type { ListConfig } from '../../lists/list-cache.ts'
import type { ItemDeps, ItemResult } from '../context.ts'
import type { ItemMutation } from './commit-item.ts'
import { type ItemModification, modifyItem } from './modify-item.ts'
import { replacedData } from './replaced-data.ts'
import { type ValidItemData, validateItemData } from './validate-item-data.ts'

type ItemUpdate = Omit<ItemModification, 'action'> & {
  body: ItemBody
  /** Compact source text of `body.data`; without it the data stays. */
  dataText: string | undefined
}

/**
 * Changes the fields in the body; `data` replaces all data, but in token mode guarded values that it omits stay (contract 2.2).
 * @throws the errors of `modifyItem` and `validateItemData`, ITEM_READONLY, USER_MODE_REQUIRED, VALIDATION_FAILED
 */
export function updateItem(deps: ItemDeps, update: ItemUpdate): Promise<ItemResult> {
  return modifyItem(deps, { ...update, action: 'update' }, (before, config) =>
    computeUpdate(deps, config, { ...update, before }),
  )
}

type Update = Pick<ItemUpdate, 'principal' | 'body' | 'dataText'> & { before: Item }

/** @throws the errors of `updateItem`, except the errors of `modifyItem` */
export async function computeUpdate(deps: ItemDeps, config: ListConfig, update: Update): Promise<ItemMutation> {
  const { body, principal, before, dataText: sent } = update
  if (body.locked !== undefined && principal.mode === 'token') throw new AppError('USER_MODE_REQUIRED')
  if (before.readonly && body.readonly !== false) throw new AppError('ITEM_READONLY')
  const guards = principal.mode === 'token' ? config.guards : []
  const data =
    sent === undefined
      ? currentData(before, config)
      : await validateItemData(deps, config, {
          ...replacedData(before.data, { sent, value: body.data, guards }),
          limits: principal.limits,
        })
  const at = laterThan(before, deps.now())
  return {
    before,
    after: nextItem(before, body, { ...data, at }),
    indexValues: data.indexValues,
    words: data.words,
    at,
  }
}

/** Stored data is not validated again: a schema applies to later writes of data. */
function currentData({ data, size }: Item, { indexes }: ListConfig): ValidItemData {
  if (indexes.length === 0) return { data, size, indexValues: [], words: noWords }
  const value: unknown = JSON.parse(data)
  return { data, size, indexValues: indexValues(indexes, value).values, words: itemWords(indexes, value) }
}
