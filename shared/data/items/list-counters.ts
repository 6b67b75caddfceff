import type { Item } from '#shared/domain/item/item.ts'
import type { Step } from '../drivers/apply-writes.ts'
import { raw, sql } from '../sql/sql.ts'
import type { ItemChange } from './item-change.ts'

/**
 * Adds to each list's counters. By the same update it proves that its settings are those the changes were validated against, and that
 * the list has room for the items that come in: the row is the lock of both. Where no plan limits anything the statement has no word
 * of it.
 */
export function countedIn(changes: readonly ItemChange[]): Step {
  const rows = counterRows(changes)
  const most = mostItems(changes, rows)
  const isLimited = most.size > 0
  return {
    update: {
      table: 'lists',
      columns: isLimited ? { ...columns, most: 'int' } : columns,
      rows: isLimited ? rows.map((row) => [...row, most.get(row[0]) ?? Number.MAX_SAFE_INTEGER]) : rows,
      set: ({ items, deactivated }) => ({
        item_count: sql`lists.item_count + ${items}`,
        deactivated_count: sql`lists.deactivated_count + ${deactivated}`,
      }),
      where: ({ id, version, items, most }) =>
        sql`lists.id = ${id} and lists.config_version = ${version}${
          isLimited ? sql` and lists.item_count + ${items} <= ${most}` : raw('')
        }`,
    },
  }
}

const columns = { id: 'text', version: 'int', items: 'int', deactivated: 'int' } as const

type CounterRow = [id: string, configVersion: number, items: number, deactivated: number]

/** What the changes add to the counters of each list and version. */
function counterRows(changes: readonly ItemChange[]): CounterRow[] {
  const lists = new Map<string, CounterRow>()
  for (const { change, before } of withStates(changes)) {
    const { list, after } = change
    const key = `${list.id} ${list.configVersion}`
    const row = lists.get(key) ?? [list.id, list.configVersion, 0, 0]
    row[2] += Number(Boolean(after)) - Number(Boolean(before))
    row[3] += Number(after?.activated === false) - Number(before?.activated === false)
    lists.set(key, row)
  }
  return [...lists.values()]
}

type State = Pick<Item, 'activated'>

/** Each change with what is stored of its item before it: what the change before has left. */
export function withStates(changes: readonly ItemChange[]): { change: ItemChange; before: State | null }[] {
  const stored = new Map<string, State | null>()
  return changes.map((change) => {
    const known = stored.get(change.itemId)
    const before = known === undefined ? storedBefore(change) : known
    stored.set(change.itemId, change.after)
    return { change, before }
  })
}

function storedBefore({ expectedRevision, wasActivated }: ItemChange): State | null {
  return expectedRevision === null ? null : { activated: wasActivated === true }
}

/** The most items of each limited list that gets more items. */
function mostItems(changes: readonly ItemChange[], rows: readonly CounterRow[]): Map<string, number> {
  const growing = new Set(rows.flatMap(([id, , items]) => (items > 0 ? [id] : [])))
  return new Map(
    changes.flatMap(({ list, limits }) => {
      const max = limits?.maxItemsPerList ?? null
      return max !== null && growing.has(list.id) ? [[list.id, max] as const] : []
    }),
  )
}
