import { type Change, diffJson } from '#shared/json/compare/diff.ts'
import { findAt, setAt } from '#shared/json/edit/at-pointer.ts'
import { parsePointer } from '#shared/json/pointer.ts'
import { compact } from '#shared/json/text/layout.ts'
import { elementsOf } from '#shared/json/text/parts.ts'
import type { FlowTexts } from '../../api/flow-texts.ts'

/**
 * The differences between two versions of a flow, those of its document first. Nodes and tests are matched by name, regardless of their
 * position, and labeled by it: `node “total” value`, `test “a small order” expect body`.
 */
export function flowChanges(before: FlowTexts, after: FlowTexts): Change[] {
  return namings.flatMap((naming) => {
    const [old, now] = [compact(before[naming.text] || 'null'), compact(after[naming.text] || 'null')]
    const [oldNamed, nowNamed] = [byName(old, naming), byName(now, naming)]
    if (oldNamed === null || nowNamed === null) return diffJson(old, now)
    return diffJson(oldNamed, nowNamed).map((change) => ({ ...change, pointer: placeName(change.pointer, naming) }))
  })
}

/** The array in each text, and the member that names its elements. */
const namings = [
  { text: 'document', list: 'nodes', one: 'node', by: 'id' },
  { text: 'tests', list: 'tests', one: 'test', by: 'name' },
] as const

type Naming = (typeof namings)[number]

/** The text with the array replaced by an object of its elements by name; null if two elements have the same name. */
function byName(text: string, { list, by }: Naming): string | null {
  const elements = elementsOf(findAt(text, `/${list}`) ?? '[]')
  const named = new Map(elements.map((element) => [findAt(element, `/${by}`), element]))
  if (named.has(null) || named.size < elements.length) return null
  if (named.size === 0) return text
  return setAt(text, `/${list}`, `{${Array.from(named, ([name, element]) => `${name}:${element}`).join()}}`)
}

function placeName(pointer: string, { text, list, one }: Naming): string {
  const [first, name, ...others] = parsePointer(pointer) ?? []
  if (first === undefined) return `the ${text}`
  return first === list && name !== undefined ? [one, `“${name}”`, ...others].join(' ') : pointer
}
