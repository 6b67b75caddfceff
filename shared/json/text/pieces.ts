import { countMembers } from './count-members.ts'
import { type Cut, compactJson, type OpenContainer } from './text.ts'

/** A text as bytes, and the commas at which it is cut into pieces. */
type Pieces = { bytes: Buffer; cuts: readonly Cut[] }

type Container = unknown[] | Record<string, unknown>

/** Stands, in a piece, for what its containers held before it. Half of a surrogate pair: no key of the text is one. */
const hole = '\ud800'

/**
 * `JSON.parse` in steps, one for each piece: a piece is parsed with the brackets that are open before and after it, and what it
 * holds is added to the containers it continues. The text is UTF-8 without half of a surrogate pair.
 * @returns `memberCount`: of all objects, a key that an object has twice counted once; null when the text is malformed
 */
export function* parseInSteps(pieces: Pieces): Generator<undefined, { value: unknown; memberCount: number } | null> {
  const { bytes, cuts } = pieces
  let value: unknown
  let memberCount = 0
  let before: Cut | null = null
  for (const after of [...cuts, null]) {
    const part = parsePiece(bytes, before, after)
    if (part === malformed) return null
    memberCount += countMembers(part)
    if (before === null) value = part
    else memberCount -= addPart(openContainers(value, bytes, before.open), part)
    before = after
    yield
  }
  return { value, memberCount }
}

const malformed = Symbol('malformed')

/** The value of the text between two cuts, as if nothing came before and after it in the containers that are open there. */
function parsePiece(bytes: Buffer, before: Cut | null, after: Cut | null): unknown {
  const opened = before ? openedText(before.open) : ''
  const closed = after ? after.open.map(({ kind }) => (kind === '{' ? '}' : ']')) : []
  const text = bytes.toString('utf8', before ? before.at + 1 : 0, after?.at)
  if (after && '[{'.includes(text.trimEnd().at(-1) ?? '[')) return malformed // the comma would have no value before it
  try {
    return JSON.parse(`${opened}${text}${closed.reverse().join('')}`)
  } catch {
    return malformed
  }
}

/** Each container holds the next one; the innermost what is before the comma that the cut is at. */
function openedText(open: readonly OpenContainer[]): string {
  return `${open.map(({ kind }) => (kind === '{' ? `{"\\ud800":` : '[')).join('')}0,`
}

/** The containers of the value that are open at a cut. */
function openContainers(value: unknown, bytes: Buffer, open: readonly OpenContainer[]): Container[] {
  const containers = [value as Container]
  for (const { keyStart, keyEnd } of open.slice(0, -1)) {
    const parent = containers.at(-1)
    const key = () => JSON.parse(bytes.toString('utf8', keyStart, keyEnd)) as string
    containers.push((Array.isArray(parent) ? parent.at(-1) : parent?.[key()]) as Container)
  }
  return containers
}

/** @returns how many members are not new ones: the holes, and keys that were there already */
function addPart(containers: readonly Container[], part: unknown): number {
  let known = 0
  let from = part as Container
  for (const container of containers) {
    if (Array.isArray(container)) {
      const entries = from as unknown[]
      for (let n = 1; n < entries.length; n++) container.push(entries[n])
      from = entries[0] as Container
    } else {
      const members = from as Record<string, unknown>
      for (const key of Object.keys(members)) if (!addMember(container, key, members[key])) known++
      from = members[hole] as Container
    }
  }
  return known
}

/** Whether it is a new one. */
function addMember(object: Record<string, unknown>, key: string, value: unknown): boolean {
  if (key === hole) return false
  const isNew = !Object.hasOwn(object, key)
  if (key !== '__proto__') object[key] = value
  else Object.defineProperty(object, key, { value, writable: true, enumerable: true, configurable: true })
  return isNew
}

/** `compactJson` of a slice in steps; it begins and ends outside of strings. */
export function* compactInSteps(
  { bytes, cuts }: Pieces,
  { start, end, spaces }: { start: number; end: number; spaces: number },
): Generator<undefined, string> {
  const texts: string[] = []
  let from = start
  for (const { at } of cuts) {
    if (at <= start || at >= end) continue
    texts.push(compactJson(bytes, from, at, spaces))
    from = at
    yield
  }
  return texts.join('') + compactJson(bytes, from, end, spaces)
}
