import { childPointer, parsePointer } from '../pointer.ts'
import { isSpace } from './layout.ts'
import { stringEnd } from './offsets.ts'

// The places of values in a JSON text that is being edited: it has white space, and may not be valid yet.

/** The place of a value: `text.slice(from, to)`. */
export type Place = { from: number; to: number }

/** The pointer of what an offset is in; of a text that is not valid yet, as far as it is clear. */
export function pointerAt(text: string, at: number): string {
  const open: Open[] = []
  for (let i = 0; i < at; i++) {
    const char = text[i]
    const inner = open.at(-1)
    if (char === '"') {
      const end = stringEnd(text, i)
      if (inner?.key === null) inner.key = keyOf(text.slice(i, end))
      i = end - 1
    } else if (char === '{') open.push({ kind: '{', key: null })
    else if (char === '[') open.push({ kind: '[', key: 0 })
    else if (char === '}' || char === ']') open.pop()
    else if (char === ',' && inner) inner.key = inner.kind === '{' ? null : Number(inner.key) + 1
  }
  let pointer = ''
  for (const { key } of open) if (key !== null) pointer = childPointer(pointer, key)
  return pointer
}

/** An object or array around an offset; `key`: of the member or element that is there, null before the first colon. */
type Open = { kind: '{' | '['; key: string | number | null }

function keyOf(text: string): string {
  try {
    return JSON.parse(text)
  } catch {
    return text.slice(1)
  }
}

/**
 * Where the values at some pointers stand, in one walk. What is not there is the first character of the innermost value around it.
 * @param text valid JSON, however it is laid out
 */
export function placesOf(text: string, pointers: readonly string[]): Map<string, Place> {
  const root = treeOf(pointers)
  const places = new Map<string, Place>()
  walk(text, skipSpace(text, 0), root, (pointer, place) => places.set(pointer, place))
  return places
}

/** Pointers by their steps. */
type Tree = { pointers: string[]; steps: Map<string, Tree> }

function treeOf(pointers: readonly string[]): Tree {
  const root: Tree = { pointers: [], steps: new Map() }
  for (const pointer of pointers) {
    let tree = root
    for (const step of parsePointer(pointer) ?? []) {
      const next = tree.steps.get(step) ?? { pointers: [], steps: new Map() }
      tree.steps.set(step, next)
      tree = next
    }
    tree.pointers.push(pointer)
  }
  return root
}

type Found = (pointer: string, place: Place) => void

/** Goes through the value at `at` as far as a tree leads. @returns its end */
function walk(text: string, at: number, tree: Tree, found: Found): number {
  const missing = new Set(tree.steps.values())
  let end = at
  if (tree.steps.size === 0) end = endOf(text, at)
  else if (text[at] === '{' || text[at] === '[') {
    end = walkInside(text, at, (key, value) => {
      const next = tree.steps.get(key)
      if (!next) return endOf(text, value)
      missing.delete(next)
      return walk(text, value, next, found)
    })
  } else end = endOf(text, at)
  for (const one of missing) for (const pointer of pointersIn(one)) found(pointer, { from: at, to: at + 1 })
  for (const pointer of tree.pointers) found(pointer, { from: at, to: end })
  return end
}

/** @param visit is given each member's key or element's position, where its value begins and where its key does, and returns its end */
function walkInside(text: string, at: number, visit: (key: string, value: number, start: number) => number): number {
  const isObject = text[at] === '{'
  let n = 0
  for (let i = skipSpace(text, at + 1); i < text.length; ) {
    if (text[i] === '}' || text[i] === ']') return i + 1
    if (text[i] === ',') i = skipSpace(text, i + 1)
    let key = String(n++)
    const start = i
    if (isObject) {
      const keyEnd = stringEnd(text, i)
      key = keyOf(text.slice(i, keyEnd))
      i = skipSpace(text, skipSpace(text, keyEnd) + 1)
    }
    i = skipSpace(text, visit(key, i, start))
  }
  return text.length
}

/** A member of an object, or an element of an array by its position: `text.slice(from, to)` is its value, `start` where its key begins. */
export type Part = Place & { key: string; start: number }

/** The parts of the object or array that begins at `at`, in the order of the text; none of a scalar. @param text valid JSON */
export function partsAt(text: string, at: number): Part[] {
  const parts: Part[] = []
  if (text[at] !== '{' && text[at] !== '[') return parts
  walkInside(text, at, (key, from, start) => {
    const to = endOf(text, from)
    parts.push({ key, start, from, to })
    return to
  })
  return parts
}

function* pointersIn({ pointers, steps }: Tree): Generator<string> {
  yield* pointers
  for (const next of steps.values()) yield* pointersIn(next)
}

function skipSpace(text: string, at: number): number {
  let i = at
  while (isSpace(text.charCodeAt(i))) i++
  return i
}

/** The end of the value that begins at `at`. */
function endOf(text: string, at: number): number {
  let depth = 0
  for (let i = at; i < text.length; i++) {
    const char = text[i]
    if (char === '"') {
      i = stringEnd(text, i) - 1
      if (depth === 0) return i + 1
    } else if (char === '{' || char === '[') depth++
    else if (char === '}' || char === ']') {
      if (depth === 0) return i
      if (--depth === 0) return i + 1
    } else if (depth === 0 && (char === ',' || isSpace(text.charCodeAt(i)))) return i
  }
  return text.length
}
