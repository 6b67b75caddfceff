import type { Database } from '#shared/data/database.ts'
import { countLongListsWithTexts, type PartsIndexState, readPartsIndex } from '#shared/data/item-pages/parts-index.ts'
import { schemaStatus } from '#shared/data/migrate.ts'
import { type Check, type CheckResult, note, ok } from '../check.ts'
import { notChecked, onDatabase } from '../on-database.ts'

/** Whether the index of parts of texts (Postgres only) was left unfinished, or would help. */
export const textParts: Check = {
  name: 'parts of texts',
  run: (context) => onDatabase(context, checkStored, { none: ok('there is no database yet'), unusable: notChecked }),
}

/** A filter for a part of a text needs five calls to examine this many items. */
const longListItems = 100_000

async function checkStored(db: Database): Promise<CheckResult> {
  if (!db.dialect.indexesParts) return ok('there is no index of them; it needs Postgres')
  if ((await schemaStatus(db)).state !== 'fits')
    return note('not checked: this version does not support the schema', 'see above')
  return checkPartsIndex({ ...(await readPartsIndex(db)), longLists: await countLongListsWithTexts(db, longListItems) })
}

type Found = { state: PartsIndexState; missing: readonly string[]; longLists: number }

/** @param found.longLists the number of lists long enough for the index to help filters for parts of texts */
export function checkPartsIndex({ state, missing, longLists }: Found): CheckResult {
  if (state === 'ready') return ok('there is an index of them')
  if (state === 'building') return ok('an index of them is being built')
  if (state === 'unfinished')
    return note(
      'the build of an index of them did not finish: the index is not used, and slows every write of a text',
      'run "listd db parts-index" to rebuild it, or "listd db parts-index --drop"',
    )
  if (longLists === 0 || missing.length > 0) return ok('there is no index of them')
  const lists = longLists === 1 ? '1 list has' : `${longLists} lists have`
  return note(
    `${lists} over ${longListItems.toLocaleString('en-US')} items and texts to filter by: a filter for a part of a text takes several calls there`,
    'if such filters are used often, run "listd db parts-index", which slows writes of texts down',
  )
}
