import { type Change, diffJson } from '../../../../../shared/json/diff.ts'

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
