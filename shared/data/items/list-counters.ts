import type { Step } from '../drivers/apply-writes.ts'
import { raw, sql } from '../sql/sql.ts'
import type { CountedState, ItemChange, ItemLimits } from './item-change.ts'

/**
 * Adds to each list's counters. The same update verifies that its settings are those that the changes were validated against, and that the
 * list has room for new items; the row is the lock of both. Without plan limits, the statement does not contain that check.
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
      set: ({ items, deactivated, bytes }) => ({
        item_count: sql`lists.item_count + ${items}`,
        deactivated_count: sql`lists.deactivated_count + ${deactivated}`,
        data_bytes: sql`lists.data_bytes + ${bytes}`,
      }),
      where: ({ id, version, items, most }) =>
        sql`lists.id = ${id} and lists.config_version = ${version}${
          isLimited ? sql` and lists.item_count + ${items} <= ${most}` : raw('')
        }`,
    },
  }
}

const columns = { id: 'text', version: 'int', items: 'int', deactivated: 'int', bytes: 'int' } as const

type CounterRow = [id: string, configVersion: number, items: number, deactivated: number, bytes: number]

/** The changes of the counters of each list and version. */
function counterRows(changes: readonly ItemChange[]): CounterRow[] {
  const lists = new Map<string, CounterRow>()
  for (const { change, before } of withStates(changes)) {
    const { list, after } = change
    const key = `${list.id} ${list.configVersion}`
    const row = lists.get(key) ?? [list.id, list.configVersion, 0, 0, 0]
    row[2] += addedItems(before, after)
    row[3] += Number(after?.activated === false) - Number(before?.activated === false)
    row[4] += addedBytes(before, after)
    lists.set(key, row)
  }
  return [...lists.values()]
}

type State = CountedState | null

export function addedItems(before: State, after: State): number {
  return Number(after !== null) - Number(before !== null)
}

export function addedBytes(before: State, after: State): number {
  return (after?.size ?? 0) - (before?.size ?? 0)
}

/** Each change with the state of its item before it, which is the result of the previous change. */
export function withStates(changes: readonly ItemChange[]): { change: ItemChange; before: State }[] {
  const stored = new Map<string, State>()
  return changes.map((change) => {
    const known = stored.get(change.itemId)
    const before = known === undefined ? change.before : known
    stored.set(change.itemId, change.after)
    return { change, before }
  })
}

/** The maximum items of each limited list that gets more items. */
function mostItems(changes: readonly ItemChange[], rows: readonly CounterRow[]): Map<string, number> {
  const growing = new Set(rows.flatMap(([id, , items]) => (items > 0 ? [id] : [])))
  return limitsBy(changes, 'maxItemsPerList', ({ list }) => (growing.has(list.id) ? list.id : null))
}

/**
 * The maximum bytes of each account whose plan limits them and whose data grows. A commit of such an account locks its row, because its
 * lists are summed up, and commits in two lists would otherwise not wait for each other.
 */
export function mostBytes(changes: readonly ItemChange[]): Map<string, number> {
  if (changes.every(({ limits }) => (limits?.maxStorageBytes ?? null) === null)) return new Map()
  const growth = new Map<string, number>()
  for (const { change, before } of withStates(changes)) {
    const bytes = addedBytes(before, change.after)
    growth.set(change.accountId, (growth.get(change.accountId) ?? 0) + bytes)
  }
  return limitsBy(changes, 'maxStorageBytes', ({ accountId }) => ((growth.get(accountId) ?? 0) > 0 ? accountId : null))
}

/** The limit of the changes that have one, by a key; null: not relevant for this change. */
function limitsBy(
  changes: readonly ItemChange[],
  limit: keyof ItemLimits,
  keyOf: (change: ItemChange) => string | null,
): Map<string, number> {
  const found = new Map<string, number>()
  for (const change of changes) {
    const max = change.limits?.[limit] ?? null
    const key = max === null ? null : keyOf(change)
    if (max !== null && key !== null) found.set(key, max)
  }
  return found
}
