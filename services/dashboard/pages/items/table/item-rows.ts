import type { Item } from '#client/src/types/resources.ts'
import { arrayElements, eachElement, eachMember, objectMembers } from '#shared/json/text/offsets.ts'

/** An item as a page shows it: its data are text, so that numbers stay as they were written. */
export type ItemRow = Omit<Item<never>, 'data'> & { dataText: string }

/**
 * A page of items. `examined`: how many items the service looked at, where it ended before the page was full. `isTruncated`: a search did
 * not look at all items, and those that it left out could be among the best.
 */
export type ItemRows = { rows: readonly ItemRow[]; next: string | null; examined: number; isTruncated?: boolean }

/** Reads a page by cursor from the text of its answer, which is compact. @throws SyntaxError for what is no such answer */
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

/** Reads what a search has found, the best first, from the text of its answer. */
export function readFoundItems(text: string): ItemRows {
  const rows = arrayElements(text, 0).flatMap(({ start }) => {
    const item = objectMembers(text, start).find(({ key }) => key === 'item')
    return item ? [readItemRow(text.slice(item.value, item.end))] : []
  })
  return { rows, next: null, examined: 0 }
}

/** Reads one item from the compact text of an answer. */
export function readItemRow(text: string): ItemRow {
  const data = objectMembers(text, 0).find(({ key }) => key === 'data')
  if (!data) return { ...JSON.parse(text), dataText: 'null' }
  const fields = JSON.parse(`${text.slice(0, data.value)}null${text.slice(data.end)}`)
  delete fields.data
  return { ...fields, dataText: text.slice(data.value, data.end) }
}

/** Pointers as a tree of their steps, so that all are found in one pass over the data. */
export type PointerTree = { pointer?: string; steps: Map<string, PointerTree> }

/** @param pointers with their steps, as `parsePointer` gives them */
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

/** The texts of the values at pointers; what an item does not have is left out. @param text compact JSON */
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

/** The names of the members of data that is an object, at most so many; null: it is none. */
export function memberNames(text: string, most: number): string[] | null {
  if (text[0] !== '{') return null
  const names: string[] = []
  for (const { key } of eachMember(text, 0)) if (names.push(key) >= most) break
  return names
}
