import { stringEnd } from './offsets.ts'

/**
 * The values in a JSON text, numbered in the order of the text: a value has a lower number than those inside of it. The text
 * is compact, valid JSON, as it is stored. One pass over it finds them all; nothing is decoded.
 */
export class JsonTree {
  readonly text: string
  readonly #spans: Spans
  readonly #elements = new Map<number, number[]>()

  constructor(text: string) {
    this.text = text
    this.#spans = scan(text)
  }

  /** The first character of a value, which shows its kind: `{`, `[`, `"`, `t`, `f`, `n`, or that of a number. */
  firstOf(node: number): string {
    return this.text[this.#spans.starts[node] as number] as string
  }

  textOf(node: number): string {
    return this.text.slice(this.#spans.starts[node], this.#spans.ends[node])
  }

  /** The key of a member with its quotes, as it is written. */
  keyTextOf(node: number): string {
    return this.text.slice(this.#spans.keys[node], (this.#spans.starts[node] as number) - 1)
  }

  /** The key of a member, decoded. */
  keyOf(node: number): string {
    return decoded(this.keyTextOf(node))
  }

  /** A string, decoded. */
  stringOf(node: number): string {
    return decoded(this.textOf(node))
  }

  /** The number after a value and all that is inside of it. */
  behind(node: number): number {
    return this.#spans.nexts[node] as number
  }

  /** The members or elements of a value, in the order of the text. */
  *childrenOf(node: number): Generator<number> {
    const end = this.behind(node)
    for (let child = node + 1; child < end; child = this.behind(child)) yield child
  }

  /** The elements of an array by position. They are kept, because an index may be looked up many times. */
  elementsOf(node: number): readonly number[] {
    let elements = this.#elements.get(node)
    if (!elements) {
      elements = []
      const { nexts } = this.#spans
      const end = this.behind(node)
      for (let child = node + 1; child < end; child = nexts[child] as number) elements.push(child)
      this.#elements.set(node, elements)
    }
    return elements
  }

  /** How many values `elementsOf` may have to pass. */
  newElements(node: number): number {
    return this.#elements.has(node) ? 0 : this.behind(node) - node
  }
}

/** Where each value begins and ends, where its key begins, and the first number after all that is inside of it. */
type Spans = { starts: Int32Array; ends: Int32Array; keys: Int32Array; nexts: Int32Array }

/** One loop over plain arrays: a text of 1 MiB may hold half a million values. */
function scan(text: string): Spans {
  // A value takes two characters: itself, and a comma or bracket.
  const room = Math.ceil(text.length / 2) + 1
  const [starts, ends, keys, nexts] = [0, 1, 2, 3].map(() => new Int32Array(room)) as Four
  const open: number[] = []
  let count = 0
  let at = 0
  let inObject = false
  while (at < text.length) {
    const first = text.charCodeAt(at)
    if (first === comma) at++
    else if (first === closingBrace || first === closingBracket) {
      const node = open.pop() as number
      ends[node] = ++at
      nexts[node] = count
      inObject = isObjectAt(text, starts[open.at(-1) ?? 0] as number)
    } else {
      const node = count++
      if (inObject) {
        keys[node] = at
        at = stringEnd(text, at) + 1
      }
      starts[node] = at
      const kind = text.charCodeAt(at)
      if (kind === openingBrace || kind === openingBracket) {
        open.push(node)
        inObject = kind === openingBrace
        at++
      } else {
        at = kind === quote ? stringEnd(text, at) : scalarEnd(text, at)
        ends[node] = at
        nexts[node] = count
      }
    }
  }
  return { starts, ends, keys, nexts }
}

function isObjectAt(text: string, at: number): boolean {
  return text.charCodeAt(at) === openingBrace
}

type Four = [Int32Array, Int32Array, Int32Array, Int32Array]

function decoded(text: string): string {
  return text.includes('\\') ? (JSON.parse(text) as string) : text.slice(1, -1)
}

function scalarEnd(text: string, at: number): number {
  let end = at + 1
  while (end < text.length) {
    const code = text.charCodeAt(end)
    if (code === comma || code === closingBrace || code === closingBracket) break
    end++
  }
  return end
}

const quote = 0x22
const comma = 0x2c
const openingBracket = 0x5b
const closingBracket = 0x5d
const openingBrace = 0x7b
const closingBrace = 0x7d
