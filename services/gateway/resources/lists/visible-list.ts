import { seenOf } from '#shared/data/items/item-set.ts'
import { visibleTotal } from '#shared/data/items/item-total.ts'
import type { List } from '#shared/domain/list/list.ts'
import { sightOf } from '../../auth/visibility.ts'
import type { Deps } from '../../context.ts'
import type { KnownCaller } from '../../request/principal.ts'

/** A list as this caller may see it: `itemCount` tells of the items that it may view, and of no others (contract 1.2). */
export async function shownList({ db }: Pick<Deps, 'db'>, caller: KnownCaller, list: List): Promise<List> {
  if (caller.mode === 'user') return list
  return { ...list, itemCount: await countFor(db, caller, list) }
}

async function countFor(db: Deps['db'], caller: KnownCaller, list: List): Promise<number> {
  const { id, itemCount: items, deactivatedCount: deactivated } = list
  const seen = sightOf(caller, id)
  if (seen.kind === 'none') return 0
  if (seen.kind === 'all') return items - deactivated
  return visibleTotal(db, seenOf(id, seen, true), { items, deactivated })
}
