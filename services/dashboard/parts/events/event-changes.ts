import { type Change, diffJson } from '#shared/json/compare/diff.ts'
import { compact } from '#shared/json/text/layout.ts'
import { membersOf } from '#shared/json/text/parts.ts'

/** What an event tells of the thing after it, as compact text; null: nothing. @param text the answer about the event as it came */
export function readSnapshot(text: string): string | null {
  return membersOf(compact(text)).get('snapshot')?.value ?? null
}

/** Members of a snapshot that every write changes, or that follow from others. */
const following = /^\/(updatedAt|version|size|etag)$/

/**
 * What is different between two snapshots of an item. Pointers of data begin with `/data`.
 * @param before compact text; null: the item was not there
 */
export function changesBetween(before: string | null, after: string): Change[] {
  return diffJson(before ?? '{}', after).filter(({ pointer, kind }) => {
    if (following.test(pointer)) return false
    if (before !== null) return true
    return kind === 'added' && pointer === '/data'
  })
}

/** What a pointer into a snapshot is called: data by their own pointers, everything else by its name. */
export function placeName(pointer: string): string {
  if (pointer === '/data') return 'the whole data'
  return pointer.startsWith('/data/') ? pointer.slice('/data'.length) : pointer.slice(1)
}
