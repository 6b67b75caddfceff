import { childPointer } from '../pointer.ts'
import { elementsOf, type Members, membersOf, sharedKeys } from '../text/parts.ts'
import { type AlignBudget, alignBudget, alignElements } from './align.ts'

/** A value that two users changed, as texts; null: no value. */
export type Conflict = { pointer: string; base: string | null; mine: string | null; theirs: string | null }

export type Side = 'mine' | 'theirs'

export type Merged = {
  /** In the order of the text. Pointers are into the base, or to where something was inserted. */
  conflicts: readonly Conflict[]
  /** The merged text. @param sides whose value to take, for each conflict; theirs where none is given */
  print(sides: readonly (Side | undefined)[]): string
}

/**
 * Merges the changes of two users to one JSON text. A value changed by one user only is taken from that user. A value that both changed to
 * different texts, or one removed and the other changed, is a conflict. Every value of the result is a piece of one of the texts.
 * @param texts compact, valid JSON without repeated keys
 */
export function mergeChanges(texts: { base: string; mine: string; theirs: string }): Merged {
  const work: Work = { conflicts: [], budget: alignBudget() }
  const whole = mergeValues({ ...texts, pointer: '' }, work)
  return {
    conflicts: work.conflicts.map(({ texts, ...conflict }) => conflict),
    print: (sides) => printed(whole, (n) => work.conflicts[n]?.texts[sides[n] ?? 'theirs'] ?? []).join(),
  }
}

/** A conflict, and what stands for it in the text: nothing, a value, or several elements of an array. */
type OpenConflict = Conflict & { texts: Record<Side, readonly string[]> }
type Work = { conflicts: OpenConflict[]; budget: AlignBudget }

/** A text; the number of a conflict; or an object or array with such parts. */
type Part = string | number | { members: readonly { keyText: string; value: Part }[] } | { elements: readonly Part[] }

type Three<T> = { base: T; mine: T; theirs: T }
type Value = string | undefined

/** @returns undefined: nothing is left there */
function mergeValues(
  { base, mine, theirs, pointer }: Three<Value> & { pointer: string },
  work: Work,
): Part | undefined {
  if (mine === theirs || theirs === base) return mine
  if (mine === base) return theirs
  if (base !== undefined && mine !== undefined && theirs !== undefined) {
    const kind = base[0]
    if (mine[0] === kind && theirs[0] === kind) {
      if (kind === '{') return mergeObjects({ base, mine, theirs, pointer }, work)
      if (kind === '[') return mergeArrays({ base, mine, theirs, pointer }, work)
    }
  }
  const listed = (text: Value) => (text === undefined ? [] : [text])
  return openConflict({ base: listed(base), mine: listed(mine), theirs: listed(theirs), pointer }, work)
}

function openConflict({ pointer, ...texts }: Three<readonly string[]> & { pointer: string }, work: Work): number {
  const { base, mine, theirs } = texts
  const textOf = (list: readonly string[]) => (list.length > 0 ? list.join(',') : null)
  work.conflicts.push({ pointer, base: textOf(base), mine: textOf(mine), theirs: textOf(theirs), texts })
  return work.conflicts.length - 1
}

type Texts = Three<string> & { pointer: string }

function mergeObjects({ pointer, ...texts }: Texts, work: Work): Part {
  const base = membersOf(texts.base)
  const mine = membersOf(texts.mine)
  const theirs = membersOf(texts.theirs)
  // Their order is what is stored; mine counts where I alone changed it.
  const isMine =
    sharedKeys(base, mine) !== sharedKeys(mine, base) && sharedKeys(base, theirs) === sharedKeys(theirs, base)
  const [lead, other] = isMine ? [mine, theirs] : [theirs, mine]
  const members = keysOf(lead, other).flatMap((key) => {
    const three = { base: base.get(key)?.value, mine: mine.get(key)?.value, theirs: theirs.get(key)?.value }
    const value = mergeValues({ ...three, pointer: childPointer(pointer, key) }, work)
    const keyText = (lead.get(key) ?? other.get(key))?.keyText ?? ''
    return value === undefined ? [] : [{ keyText, value }]
  })
  return { members }
}

/** The keys of both: those of the other alone follow the key that they follow there. */
function keysOf(lead: Members, other: Members): string[] {
  const behind = new Map<string | null, string[]>()
  let last: string | null = null
  for (const key of other.keys()) {
    if (lead.has(key)) last = key
    else behind.set(last, [...(behind.get(last) ?? []), key])
  }
  return [...(behind.get(null) ?? []), ...[...lead.keys()].flatMap((key) => [key, ...(behind.get(key) ?? [])])]
}

function mergeArrays({ pointer, ...texts }: Texts, work: Work): Part {
  const base = elementsOf(texts.base)
  const mine = against(base, elementsOf(texts.mine), work.budget)
  const theirs = against(base, elementsOf(texts.theirs), work.budget)
  const elements: Part[] = []
  for (let n = 0; n <= base.length; n++) {
    const at = childPointer(pointer, n)
    elements.push(
      ...mergeInserted({ mine: mine.inserted[n] ?? [], theirs: theirs.inserted[n] ?? [], pointer: at }, work),
    )
    if (n === base.length) break
    const left = mergeValues({ base: base[n], mine: mine.kept[n], theirs: theirs.kept[n], pointer: at }, work)
    if (left !== undefined) elements.push(left)
  }
  return { elements }
}

/** An array as changes of another: by the base's positions, what became of each element and what was inserted before it. */
function against(base: readonly string[], changed: readonly string[], budget: AlignBudget) {
  const kept: Value[] = []
  const inserted: string[][] = []
  let last = { before: -1, after: -1 }
  for (const pair of [...alignElements(base, changed, budget), { before: base.length, after: changed.length }]) {
    // After the element that it follows.
    if (pair.after > last.after + 1) inserted[last.before + 1] = changed.slice(last.after + 1, pair.after)
    kept[pair.before] = changed[pair.after]
    last = pair
  }
  return { kept, inserted }
}

type Inserted = { mine: readonly string[]; theirs: readonly string[]; pointer: string }

function mergeInserted({ mine, theirs, pointer }: Inserted, work: Work): readonly Part[] {
  if (mine.length === 0 || mine.join() === theirs.join()) return theirs
  if (theirs.length === 0) return mine
  return [openConflict({ base: [], mine, theirs, pointer }, work)]
}

/** The texts that a part comes to: none, one, or several elements. */
function printed(part: Part | undefined, textsOf: (conflict: number) => readonly string[]): readonly string[] {
  if (part === undefined) return []
  if (typeof part === 'string') return [part]
  if (typeof part === 'number') return textsOf(part)
  if ('elements' in part) return [`[${part.elements.flatMap((element) => printed(element, textsOf)).join()}]`]
  const members = part.members.flatMap(({ keyText, value }) =>
    printed(value, textsOf).map((text) => `${keyText}:${text}`),
  )
  return [`{${members.join()}}`]
}
