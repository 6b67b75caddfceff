import type { Item } from '#shared/domain/item/item.ts'
import { validationFailed } from '#shared/errors.ts'
import { pickFrom } from '#shared/json/pick.ts'
import type { PointerTree } from '#shared/json/pointer-tree.ts'
import { valueFinder } from '#shared/json-path/find.ts'
import { PathTooCostly } from '#shared/json-path/path-error.ts'
import type { JsonPath } from '#shared/json-path/query.ts'
import { mapInTimeSlices } from '#shared/time/time-slices.ts'

/** The part of data that a request selects: first reduced to `fields`, then `path` finds values in the rest. */
export type DataChoice = { fields?: PointerTree | 'whole' | undefined; path?: JsonPath | undefined }

/**
 * Returns the function that computes the selected part of data, from their text without guarded values. The cost is limited for all
 * calls of the function together.
 * @returns null when the request selects the whole data; the function throws VALIDATION_FAILED for a path that costs too much
 */
export function dataChooser({ fields, path }: DataChoice): ((data: string) => string) | null {
  if (!fields && !path) return null
  const find = path && valueFinder(path)
  return (data) => {
    const picked = fields ? pickFrom(data, fields) : data
    return find ? orInvalid(() => find(picked)) : picked
  }
}

/** Items with only the part of their data that a request selects. @throws VALIDATION_FAILED */
export async function chooseOfItems(items: Item[], choice: DataChoice): Promise<Item[]> {
  const choose = dataChooser(choice)
  return choose ? mapInTimeSlices(items, (item) => ({ ...item, data: choose(item.data) })) : items
}

/** Rejects a request that selects a part of data, but does not include data. @throws VALIDATION_FAILED */
export function assertDataShown({ fields, path, includeData }: DataChoice & { includeData: boolean }): void {
  const unused = Object.entries({ fields, path }).filter(([, value]) => value !== undefined && !includeData)
  if (unused.length > 0)
    throw validationFailed(unused.map(([name]) => ({ path: name, message: 'needs includeData=true' })))
}

function orInvalid(find: () => string): string {
  try {
    return find()
  } catch (error) {
    if (!(error instanceof PathTooCostly)) throw error
    throw validationFailed([{ path: 'path', message: `"path" ${error.message}` }])
  }
}
