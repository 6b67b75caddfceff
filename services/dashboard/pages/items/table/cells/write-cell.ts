import { RawJson } from '#client/src/json.ts'
import { client } from '#services/dashboard/api/client.ts'
import { toListdError } from '#services/dashboard/api/errors.ts'
import { parsePointer } from '#shared/json/pointer.ts'
import { type ItemRow, pointerTree, readItemRow, valueTexts } from '../item-rows.ts'

/** The value at a pointer in the data of an item, as compact JSON; undefined: there is none. */
export function valueAt({ dataText }: ItemRow, pointer: string): string | undefined {
  return valueTexts(dataText, pointerTree([[pointer, parsePointer(pointer) ?? []]])).get(pointer)
}

/** A place in the data of an item. @property list the name of the list in the address */
export type CellPlace = { list: string; row: ItemRow; pointer: string }

/** `row`: the item as it is now; `isStored`: false if somebody else changed the value meanwhile. */
export type Written = { row: ItemRow; isStored: boolean }

/**
 * Replaces the value that the row shows, or removes it. Other changes of the item by somebody else stay. If somebody else changed this
 * value, it is not replaced.
 * @param to compact JSON; undefined removes the value
 * @throws ListdError
 */
export async function writeCell({ list, row, pointer }: CellPlace, to: string | undefined): Promise<Written> {
  const before = valueAt(row, pointer)
  let over = row
  for (let tries = 0; tries < mostTries; tries++) {
    const stored = await send({ list, row: over, pointer }, to)
    if (stored) return { row: stored, isStored: true }
    over = readItemRow(await client.list(list).get(row.id).text())
    if (valueAt(over, pointer) !== before) break
  }
  return { row: over, isStored: false }
}

/** Tries to store a value while others change the item. */
const mostTries = 3

/** Null: the item was changed since it was read. */
async function send({ list, row, pointer }: CellPlace, to: string | undefined): Promise<ItemRow | null> {
  const options = { ifMatch: row.etag }
  const items = client.list(list)
  try {
    const answer =
      to === undefined ? items.remove(row.id, pointer, options) : items.set(row.id, pointer, new RawJson(to), options)
    return readItemRow(await answer.text())
  } catch (failure) {
    if (toListdError(failure).name === 'ITEM_PRECONDITION_FAILED') return null
    throw failure
  }
}
