import type { Item } from '#client/src/types/resources.ts'
import { arrayElements, eachElement, eachMember, objectMembers } from '#shared/json/text/offsets.ts'

/** An item as a page shows it. Its data are text, so that numbers keep their digits. */
export type ItemRow = Omit<Item<never>, 'data'> & { dataText: string }

/**
 * A page of items. `examined`: how many items the service examined, if it ended before the page was full. `isTruncated`: a search did
 * not examine all items, and better matches may be missing.
 */
export type ItemRows = { rows: readonly ItemRow[]; next: string | null; examined: number; isTruncated?: boolean }

/** Reads a page by cursor. @param text the compact body of the response. @throws SyntaxError when it is not a page of items */
export function readItemRows(text: string): ItemRows {
  const members = objectMembers(text, 0)
  const data = members.find(({ key }) => key === 'data')
  const memberOf = (name: string) => {
    const member = members.find(({ key }) => key === name)
    return member && JSON.parse(text.slice(member.value, member.end))
  }
  const next = memberOf('next')
  if (!data || next === undefined) throw new SyntaxError('The response is not a page of items.')
  const rows = arrayElements(text, data.value).map(({ start, end }) => readItemRow(text.slice(start, end)))
  return { rows, next, examined: memberOf('examined') ?? 0 }
}

/** Reads the results of a search, best first. @param text the compact body of the response */
export function readFoundItems(text: string): ItemRows {
  const rows = arrayElements(text, 0).flatMap(({ start }) => {
    const item = objectMembers(text, start).find(({ key }) => key === 'item')
    return item ? [readItemRow(text.slice(item.value, item.end))] : []
  })
  return { rows, next: null, examined: 0 }
}

/** Reads one item. @param text the compact body of the response */
export function readItemRow(text: string): ItemRow {
  const data = objectMembers(text, 0).find(({ key }) => key === 'data')
  if (!data) return { ...JSON.parse(text), dataText: 'null' }
  const fields = JSON.parse(`${text.slice(0, data.value)}null${text.slice(data.end)}`)
  delete fields.data
  return { ...fields, dataText: text.slice(data.value, data.end) }
}

/** Pointers as a tree of their steps, to find all values in one pass over the data. */
export type PointerTree = { pointer?: string; steps: Map<string, PointerTree> }

/** @param pointers with their steps, as `parsePointer` returns them */
export function pointerTree(pointers: Iterable<readonly [pointer: string, steps: readonly string[]]>): PointerTree {
  const root: PointerTree = { steps: new Map() }
  for (const [pointer, steps] of pointers) {
    let node = root
    for (const step of steps) {
      const below: PointerTree = node.steps.get(step) ?? { steps: new Map() }
      node.steps.set(step, below)
      node = below
    }
    node.pointer = pointer
  }
  return root
}

/** The texts of the values at pointers; missing values are left out. @param text compact JSON */
export function valueTexts(text: string, tree: PointerTree): Map<string, string> {
  const found = new Map<string, string>()
  collect(text, { start: 0, end: text.length }, tree, found)
  return found
}

function collect(
  text: string,
  span: { start: number; end: number },
  node: PointerTree,
  found: Map<string, string>,
): void {
  const { start, end } = span
  if (node.pointer !== undefined) found.set(node.pointer, text.slice(start, end))
  let left = node.steps.size
  if (left === 0) return
  for (const [step, value] of entries(text, start)) {
    const below = node.steps.get(step)
    if (!below) continue
    collect(text, value, below, found)
    if (--left === 0) return
  }
}

function* entries(text: string, at: number): Generator<[step: string, value: { start: number; end: number }]> {
  if (text[at] === '{') {
    for (const { key, value, end } of eachMember(text, at)) yield [key, { start: value, end }]
  } else if (text[at] === '[') {
    let n = 0
    for (const element of eachElement(text, at)) yield [String(n++), element]
  }
}

/** The names of the members of an object, at most `most`; null: the data are not an object. */
export function memberNames(text: string, most: number): string[] | null {
  if (text[0] !== '{') return null
  const names: string[] = []
  for (const { key } of eachMember(text, 0)) if (names.push(key) >= most) break
  return names
}
