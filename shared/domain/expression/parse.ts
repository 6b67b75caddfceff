import { ExpressionError } from './expression-error.ts'
import { beginsLambda } from './lambda.ts'
import {
  type BinarySign,
  type Helper,
  type Lambda,
  type ListEntry,
  type Node,
  type ObjectMember,
  precedence,
  type UnarySign,
} from './syntax.ts'
import { type Token, tokensOf } from './tokens.ts'

/** Maximum characters, the same bound as in a flow document. */
export const maxExpressionLength = 4 * 1024
export const maxHelpersLength = 16 * 1024
/** The maximum nesting of an expression. */
export const maxDepth = 100
/** The maximum length of a chain such as `a + b + c` or `a.b.c`: each operation is evaluated inside the next one. */
export const maxRow = 500

/** Parses one expression. @throws ExpressionError with the place of its first error */
export function parseExpression(text: string): Node {
  assertLength(text, maxExpressionLength)
  const parser = new Parser(text)
  const node = parser.expression()
  parser.expectEnd()
  return node
}

/** Parses helpers, `let name = …;` and `function name(a, b) = …;`. @throws ExpressionError with the place of the first error */
export function parseHelpers(text: string): Helper[] {
  assertLength(text, maxHelpersLength)
  const parser = new Parser(text)
  const helpers: Helper[] = []
  while (!parser.isAtEnd()) helpers.push(parser.helper())
  return helpers
}

function assertLength(text: string, most: number): void {
  if (text.length <= most) return
  throw new ExpressionError('syntax', `at most ${most.toLocaleString('en-US')} characters are allowed`, {
    text,
    at: most,
  })
}

const constants: Readonly<Record<string, null | boolean>> = { true: true, false: false, null: null }
const reserved = new Set(['true', 'false', 'null', 'in', 'not', 'let', 'function'])

class Parser {
  readonly #text: string
  readonly #tokens: readonly Token[]
  #position = 0
  #depth = 0

  constructor(text: string) {
    this.#text = text
    this.#tokens = tokensOf(text)
  }

  isAtEnd(): boolean {
    return this.#next().kind === 'end'
  }

  expectEnd(): void {
    if (!this.isAtEnd()) throw this.#unexpected('the end')
  }

  helper(): Helper {
    const { at } = this.#next()
    const isFunction = this.#takesName('function')
    if (!isFunction && !this.#takesName('let')) throw this.#unexpected('"let" or "function"')
    const name = this.#newName()
    const parameters = isFunction ? this.#parameters() : null
    this.#expect('=')
    const body = this.expression()
    this.#expect(';')
    return { name, at, parameters, body, text: this.#text }
  }

  /** The lowest precedence: `c ? a : b`. */
  expression(): Node {
    if (++this.#depth > maxDepth) throw this.#error(`it nests deeper than ${maxDepth} levels`)
    const condition = this.#binary(0)
    const { at } = this.#next()
    const node = this.#takes('?') ? this.#choice(condition, at) : condition
    this.#depth--
    return node
  }

  #choice(condition: Node, at: number): Node {
    const then = this.expression()
    this.#expect(':')
    return { kind: 'choice', at, condition, then, otherwise: this.expression() }
  }

  /** Parses operations that bind more tightly than `above`, left to right. */
  #binary(above: number): Node {
    let left = this.#unary()
    for (let row = 0; ; row++) {
      this.#assertRow(row)
      const { at } = this.#next()
      const sign = this.#binarySign(above)
      if (sign === null) return left
      left = { kind: 'binary', at, sign, left, right: this.#binary(precedence[sign]) }
    }
  }

  /** Consumes the next operator if it binds more tightly. */
  #binarySign(above: number): BinarySign | null {
    const next = this.#next()
    if (next.kind !== 'sign' && next.kind !== 'name') return null
    const after = this.#tokens[this.#position + 1]
    const isNotIn = next.text === 'not' && after?.kind === 'name' && after.text === 'in'
    const sign = isNotIn ? 'not in' : next.text
    if (!isBinary(sign) || precedence[sign] <= above) return null
    this.#position += isNotIn ? 2 : 1
    return sign
  }

  #unary(): Node {
    const { at } = this.#next()
    const sign = (['!', '-'] as const satisfies UnarySign[]).find((one) => this.#takes(one))
    if (!sign) return this.#chain()
    if (++this.#depth > maxDepth) throw this.#error(`it nests deeper than ${maxDepth} levels`)
    const of = this.#unary()
    this.#depth--
    return { kind: 'unary', at, sign, of }
  }

  /** A value followed by any member reads: `a.b`, `a?.b`, `a[i]`. */
  #chain(): Node {
    let of = this.#primary()
    for (let row = 0; ; row++) {
      this.#assertRow(row)
      const { at } = this.#next()
      if (this.#takes('[')) of = this.#element(of, { at, isOptional: false })
      else if (this.#takes('?.')) {
        of = this.#takes('[') ? this.#element(of, { at, isOptional: true }) : this.#member(of, { at, isOptional: true })
      } else if (this.#takes('.')) of = this.#member(of, { at, isOptional: false })
      else if (this.#isSign('(')) throw this.#error('only functions are called, by their names: f(a), not a.f()')
      else return of
    }
  }

  #assertRow(count: number): void {
    if (count > maxRow) throw this.#error(`it has more than ${maxRow} operations in a row`)
  }

  #member(of: Node, { at, isOptional }: { at: number; isOptional: boolean }): Node {
    const next = this.#next()
    if (next.kind !== 'name') throw this.#unexpected('a key')
    this.#position++
    return { kind: 'member', at, of, key: next.text, isOptional }
  }

  #element(of: Node, { at, isOptional }: { at: number; isOptional: boolean }): Node {
    const key = this.expression()
    this.#expect(']')
    return { kind: 'element', at, of, key, isOptional }
  }

  #primary(): Node {
    const next = this.#next()
    if (next.kind === 'literal') {
      this.#position++
      return { kind: 'literal', at: next.at, value: next.value }
    }
    if (next.kind === 'name') return this.#named(next)
    if (this.#takes('(')) {
      const inner = this.expression()
      this.#expect(')')
      return inner
    }
    if (this.#takes('[')) return { kind: 'list', at: next.at, entries: this.#until(']', () => this.#listEntry()) }
    if (this.#takes('{')) return { kind: 'object', at: next.at, members: this.#until('}', () => this.#objectMember()) }
    throw this.#unexpected('a value')
  }

  #named({ at, text }: { at: number; text: string }): Node {
    if (Object.hasOwn(constants, text)) {
      this.#position++
      return { kind: 'literal', at, value: constants[text] ?? null }
    }
    if (reserved.has(text)) throw this.#unexpected('a value')
    this.#position++
    if (!this.#takes('(')) return { kind: 'name', at, name: text }
    return { kind: 'call', at, name: text, args: this.#until(')', () => this.#argument()) }
  }

  #argument(): Node | Lambda {
    const { at } = this.#next()
    if (!beginsLambda(this.#tokens, this.#position)) return this.expression()
    const parameters = this.#isSign('(') ? this.#parameters() : [this.#newName()]
    this.#expect('=>')
    return { kind: 'lambda', at, parameters, body: this.expression() }
  }

  #parameters(): string[] {
    this.#expect('(')
    return this.#until(')', () => this.#newName())
  }

  #newName(): string {
    const next = this.#next()
    if (next.kind !== 'name' || reserved.has(next.text)) throw this.#unexpected('a name')
    this.#position++
    return next.text
  }

  #listEntry(): ListEntry {
    const isSpread = this.#takes('...')
    return { isSpread, value: this.expression() }
  }

  #objectMember(): ObjectMember {
    if (this.#takes('...')) return { spread: this.expression() }
    const key = this.#objectKey()
    this.#expect(':')
    return { key, value: this.expression() }
  }

  #objectKey(): string | Node {
    const next = this.#next()
    if (this.#takes('[')) {
      const key = this.expression()
      this.#expect(']')
      return key
    }
    const key = next.kind === 'name' ? next.text : next.kind === 'literal' ? next.value : null
    if (typeof key !== 'string') throw this.#unexpected('a key')
    this.#position++
    return key
  }

  /** Parses entries between commas up to a closing sign, which is consumed. A trailing comma is allowed. */
  #until<T>(close: string, read: () => T): T[] {
    const found: T[] = []
    while (!this.#takes(close)) {
      found.push(read())
      if (this.#takes(close)) break
      if (!this.#takes(',')) throw this.#unexpected(`"," or "${close}"`)
    }
    return found
  }

  #next(): Token {
    return this.#tokens[this.#position] ?? { kind: 'end', at: this.#text.length, end: this.#text.length }
  }

  #isSign(text: string, ahead = 0): boolean {
    const token = this.#tokens[this.#position + ahead]
    return token?.kind === 'sign' && token.text === text
  }

  #takes(sign: string): boolean {
    if (!this.#isSign(sign)) return false
    this.#position++
    return true
  }

  #takesName(name: string): boolean {
    const next = this.#next()
    if (next.kind !== 'name' || next.text !== name) return false
    this.#position++
    return true
  }

  #expect(sign: string): void {
    if (!this.#takes(sign)) throw this.#unexpected(`"${sign}"`)
  }

  #unexpected(expected: string): ExpressionError {
    const next = this.#next()
    const found = next.kind === 'end' ? 'the end' : this.#text.slice(next.at, next.end)
    return this.#error(`expected ${expected}, but found ${next.kind === 'end' ? found : JSON.stringify(found)}`)
  }

  #error(message: string): ExpressionError {
    return new ExpressionError('syntax', message, { text: this.#text, at: this.#next().at })
  }
}

function isBinary(sign: string): sign is BinarySign {
  return Object.hasOwn(precedence, sign)
}
