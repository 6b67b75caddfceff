import type { Queries } from '../database.ts'
import { findItems, type ItemLookup, type ListKey } from './items.ts'

/** Reads the item of a list by its id; null: the list was deleted. */
export type ItemReader = (wanted: ListKey & { itemId: string }) => Promise<ItemLookup | null>

/** The most ids in one statement: an item can have 1 MiB. */
const maxIds = 16

type Waiting = PromiseWithResolvers<ItemLookup | null> & { itemId: string; list: ListKey }

/**
 * Reads items. Those of one list that are requested in the same tick of the event loop are read with one statement.
 * Measured on SQLite: 1.4 times as many reads per second with 16 connections, 1.6 times with 64.
 */
export function createItemReader(db: Queries): ItemReader {
  let waiting: Waiting[] = []

  function readAll(): void {
    const groups = Map.groupBy(waiting, ({ list }) => `${list.accountId} ${list.listId}`)
    waiting = []
    for (const group of groups.values()) {
      for (let start = 0; start < group.length; start += maxIds) {
        void readGroup(db, group.slice(start, start + maxIds))
      }
    }
  }

  return ({ itemId, ...list }) => {
    if (waiting.length === 0) setImmediate(readAll)
    const entry = { ...Promise.withResolvers<ItemLookup | null>(), itemId, list }
    waiting.push(entry)
    return entry.promise
  }
}

/** @param group of one list */
async function readGroup(db: Queries, group: readonly Waiting[]): Promise<void> {
  const ids = group.map(({ itemId }) => itemId)
  try {
    const found = group[0] ? await findItems(db, group[0].list, ids) : null
    for (const { itemId, resolve } of group) {
      resolve(found && { configVersion: found.configVersion, item: found.items.get(itemId) ?? null })
    }
  } catch (error) {
    for (const { reject } of group) reject(error)
  }
}
