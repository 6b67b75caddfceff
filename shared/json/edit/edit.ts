import { decimalForm } from '../decimal.ts'
import { arrayElements, objectMembers } from '../text/offsets.ts'

/**
 * A JSON value that is edited as text: it is opened only where an edit leads, and everything else is printed as it was.
 * Numbers, keys, their order and all text that an edit does not touch survive byte for byte, which no edit of parsed
 * values can promise. Text is compact, valid JSON without repeated keys, as items hold it.
 */
export class JsonEdit {
  /** The text while the value is closed, and of a scalar for ever. */
  #text: string | null
  #members: Map<string, Member> | null = null
  #elements: JsonEdit[] | null = null
  /** Of a scalar that was compared: the next comparison of a long text must not read it again. */
  #form: string | null = null

  constructor(text: string) {
    this.#text = text
  }

  get kind(): 'object' | 'array' | 'scalar' {
    if (this.#members || this.#text?.startsWith('{')) return 'object'
    return this.#elements || this.#text?.startsWith('[') ? 'array' : 'scalar'
  }

  /** Members in the order of the text; only of an object. Changes of the map are changes of the value. */
  get members(): Map<string, Member> {
    if (!this.#members) {
      const text = this.#text ?? '{}'
      this.#members = new Map(
        objectMembers(text, 0).map(({ key, start, value, end }) => [
          key,
          { keyText: text.slice(start, value - 1), value: new JsonEdit(text.slice(value, end)) },
        ]),
      )
      this.#text = null
    }
    return this.#members
  }

  /** Elements; only of an array. Changes of the array are changes of the value. */
  get elements(): JsonEdit[] {
    if (!this.#elements) {
      const text = this.#text ?? '[]'
      this.#elements = arrayElements(text, 0).map(({ start, end }) => new JsonEdit(text.slice(start, end)))
      this.#text = null
    }
    return this.#elements
  }

  /** Sets a member: in its place where the object has the key, else at the end. */
  set(key: string, value: JsonEdit): void {
    const member = this.members.get(key)
    if (member) member.value = value
    else this.members.set(key, { keyText: JSON.stringify(key), value })
  }

  /** The value as compact JSON. */
  print(): string {
    if (this.#text !== null) return this.#text
    if (this.#elements) return `[${this.#elements.map((element) => element.print()).join(',')}]`
    return `{${[...this.members.values()].map(({ keyText, value }) => `${keyText}:${value.print()}`).join(',')}}`
  }

  /** Characters of `print()`, without printing. */
  get length(): number {
    if (this.#text !== null) return this.#text.length
    const separators = (parts: number) => 2 + Math.max(0, parts - 1)
    if (this.#elements) {
      return this.#elements.reduce((sum, element) => sum + element.length, separators(this.#elements.length))
    }
    let sum = separators(this.members.size)
    for (const { keyText, value } of this.members.values()) sum += keyText.length + 1 + value.length
    return sum
  }

  /** Whether two values are equal as RFC 6902 says: numbers by their decimal value, objects without regard to order. */
  equals(other: JsonEdit): boolean {
    if (this.kind !== other.kind) return false
    if (this.kind === 'scalar') return this.#scalarForm() === other.#scalarForm()
    if (this.kind === 'array') {
      const [left, right] = [this.elements, other.elements]
      return left.length === right.length && left.every((element, n) => right[n] && element.equals(right[n]))
    }
    const [left, right] = [this.members, other.members]
    return (
      left.size === right.size &&
      [...left].every(([key, { value }]) => {
        const same = right.get(key)
        return same !== undefined && value.equals(same.value)
      })
    )
  }

  #scalarForm(): string {
    this.#form ??= scalarForm(this.print())
    return this.#form
  }
}

/** A member of an object; `keyText` is the key as it is written, its quotes included. */
export type Member = { keyText: string; value: JsonEdit }

/** Two scalars are equal when their forms are. */
function scalarForm(text: string): string {
  if (text.startsWith('"')) return text.includes('\\') ? `"${JSON.parse(text)}"` : text
  return /^[-0-9]/.test(text) ? decimalForm(text) : text
}

const arrayPosition = /^(?:0|[1-9][0-9]{0,15})$/

/** The position that a token of a JSON Pointer names in an array (RFC 6901); null when it names none. */
export function positionOf(token: string): number | null {
  return arrayPosition.test(token) ? Number(token) : null
}

/** The value that the tokens of a pointer lead to; undefined when there is none. */
export function find(root: JsonEdit, tokens: readonly string[]): JsonEdit | undefined {
  let found: JsonEdit | undefined = root
  for (const token of tokens) {
    if (found?.kind === 'object') found = found.members.get(token)?.value
    else if (found?.kind === 'array') found = elementAt(found, token)
    else return undefined
  }
  return found
}

function elementAt(array: JsonEdit, token: string): JsonEdit | undefined {
  const position = positionOf(token)
  return position === null ? undefined : array.elements[position]
}
