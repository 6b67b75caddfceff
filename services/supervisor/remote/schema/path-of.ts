import { printable } from '../../terminal/listing.ts'

/** A list, or an index of it, by path names. */
export function pathOf({ list, index }: { list: string; index?: string }): string {
  return printable(index === undefined ? list : `${list}.${index}`)
}
