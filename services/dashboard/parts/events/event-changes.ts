import { type Change, diffJson } from '#shared/json/compare/diff.ts'
import { compact } from '#shared/json/text/layout.ts'
import { membersOf } from '#shared/json/text/parts.ts'

/** The snapshot of the resource after an event, as compact text; null: the event has none. @param text the unparsed answer about the event */
export function readSnapshot(text: string): string | null {
  return membersOf(compact(text)).get('snapshot')?.value ?? null
}

/** Members of a snapshot that every write changes, or that are derived from others. */
const following = /^\/(updatedAt|version|size|etag)$/

/**
 * The differences between two snapshots of an item. Pointers into the data begin with `/data`.
 * @param before compact text; null: the item did not exist
 */
export function changesBetween(before: string | null, after: string): Change[] {
  return diffJson(before ?? '{}', after).filter(({ pointer, kind }) => {
    if (following.test(pointer)) return false
    if (before !== null) return true
    return kind === 'added' && pointer === '/data'
  })
}

/** The name to show for a pointer into a snapshot: the pointer within the data, or the name of another member. */
export function placeName(pointer: string): string {
  if (pointer === '/data') return 'the whole data'
  return pointer.startsWith('/data/') ? pointer.slice('/data'.length) : pointer.slice(1)
}
