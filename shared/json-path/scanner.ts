import { PathError } from './path-error.ts'

/** Each level takes room on the stack, while it is parsed and while it is evaluated. */
const maxDepth = 100

/** Reads the text of a JSONPath from its begin to its end. */
export class Scanner {
  readonly #text: string
  #at = 0
  #depth = 0

  constructor(text: string) {
    this.#text = text
  }

  get isAtEnd(): boolean {
    return this.#at === this.#text.length
  }

  /** Whether the rest begins with this. */
  sees(start: string): boolean {
    return this.#text.startsWith(start, this.#at)
  }

  /** Reads this text, if it comes next. */
  takes(expected: string): boolean {
    const found = this.sees(expected)
    if (found) this.#at += expected.length
    return found
  }

  /** @throws PathError */
  expect(expected: string): void {
    if (!this.takes(expected)) throw this.error(`${expected} is expected`)
  }

  /** Reads what a sticky pattern matches; null: nothing. */
  match(pattern: RegExp): string | null {
    pattern.lastIndex = this.#at
    const found = pattern.exec(this.#text)?.[0] ?? null
    this.#at += found?.length ?? 0
    return found
  }

  skipSpace(): void {
    this.match(/[ \t\n\r]*/y)
  }

  /** Reads spaces, if what is after them begins like this. */
  skipSpaceBefore(start: RegExp): boolean {
    const before = this.#at
    this.skipSpace()
    start.lastIndex = this.#at
    const found = start.test(this.#text)
    if (!found) this.#at = before
    return found
  }

  /** Reads the content of parentheses or a filter, up to a maximum depth. @throws PathError */
  nested<T>(read: () => T): T {
    if (++this.#depth > maxDepth) throw this.error(`it nests more than ${maxDepth} levels deep`)
    const value = read()
    this.#depth--
    return value
  }

  /** An error at the character that comes next. Characters are counted from 1. */
  error(why: string): PathError {
    return new PathError(`is not a JSONPath: ${why} (character ${[...this.#text.slice(0, this.#at)].length + 1})`)
  }
}
