import { readLiteral } from './literals.ts'
import { type Comparable, type FilterQuery, isSingular, type Operator, type Segment, type Test } from './query.ts'
import type { Scanner } from './scanner.ts'

/** Reads the segments of a query in a filter. */
type ReadSegments = (scanner: Scanner) => Segment[]

/** Reads what a filter says of a node. @throws PathError */
export function readTest(scanner: Scanner, readSegments: ReadSegments): Test {
  return new FilterParser(scanner, readSegments).readOr()
}

/** The text where a test or a value is expected: only what follows it says which it is. */
type Operand =
  | { kind: 'test'; test: Test }
  | { kind: 'query'; query: FilterQuery }
  | { kind: 'value'; value: Comparable }

class FilterParser {
  readonly #scanner: Scanner
  readonly #readSegments: ReadSegments

  constructor(scanner: Scanner, readSegments: ReadSegments) {
    this.#scanner = scanner
    this.#readSegments = readSegments
  }

  readOr(): Test {
    return this.#readSeveral('or', '||', () => this.#readAnd())
  }

  #readAnd(): Test {
    return this.#readSeveral('and', '&&', () => this.#readBasic())
  }

  #readSeveral(kind: 'or' | 'and', operator: '||' | '&&', read: () => Test): Test {
    const first = read()
    const tests = [first]
    while (this.#scanner.skipSpaceBefore(operator === '||' ? /\|\|/y : /&&/y)) {
      this.#scanner.expect(operator)
      this.#scanner.skipSpace()
      tests.push(read())
    }
    return tests.length === 1 ? first : { kind, tests }
  }

  #readBasic(): Test {
    if (this.#scanner.takes('!')) {
      this.#scanner.skipSpace()
      return { kind: 'not', test: this.#scanner.sees('(') ? this.#readGroup() : this.#toTest(this.#readOperand()) }
    }
    if (this.#scanner.sees('(')) return this.#readGroup()
    const operand = this.#readOperand()
    const operator = this.#readOperator()
    if (operator === null) return this.#toTest(operand)
    const left = this.#toComparable(operand)
    const right = this.#toComparable(this.#readOperand())
    return { kind: 'compare', operator, left, right }
  }

  #readGroup(): Test {
    this.#scanner.expect('(')
    this.#scanner.skipSpace()
    const test = this.#scanner.nested(() => this.readOr())
    this.#scanner.skipSpace()
    this.#scanner.expect(')')
    return test
  }

  #readOperator(): Operator | null {
    if (!this.#scanner.skipSpaceBefore(/[=!<>]/y)) return null
    const operator = this.#scanner.match(/==|!=|<=|>=|<|>/y)
    if (operator === null) throw this.#scanner.error('one of == != < <= > >= is expected')
    this.#scanner.skipSpace()
    return operator as Operator
  }

  #readOperand(): Operand {
    const query = this.#readQuery()
    if (query) return { kind: 'query', query }
    const name = this.#scanner.match(/[a-z][a-z_0-9]*(?=\()/y)
    if (name !== null) return this.#readCall(name)
    const scalar = readLiteral(this.#scanner)
    if (scalar) return { kind: 'value', value: { kind: 'literal', scalar } }
    throw this.#scanner.error('a query (@ or $), a value or a function is expected')
  }

  #readQuery(): FilterQuery | null {
    if (this.#scanner.takes('@')) return { from: 'current', segments: this.#readSegments(this.#scanner) }
    return this.#scanner.takes('$') ? { from: 'root', segments: this.#readSegments(this.#scanner) } : null
  }

  /** Reads the call of a function from its opening parenthesis on. */
  #readCall(name: string): Operand {
    const unknown = this.#scanner.error(`there is no function ${name}; use length, count, value, match or search`)
    this.#scanner.expect('(')
    this.#scanner.skipSpace()
    const operand = this.#readArguments(name)
    if (!operand) throw unknown
    this.#scanner.skipSpace()
    if (!this.#scanner.takes(')')) throw this.#scanner.error(`the end of the arguments of ${name} is expected`)
    return operand
  }

  /** @returns null when there is no such function */
  #readArguments(name: string): Operand | null {
    switch (name) {
      case 'length':
        return { kind: 'value', value: { kind: name, of: this.#scanner.nested(() => this.#readValue()) } }
      case 'count':
      case 'value': {
        const query = this.#readQuery()
        if (!query) throw this.#scanner.error(`${name} takes a query (@ or $)`)
        return { kind: 'value', value: { kind: name, query } }
      }
      case 'match':
      case 'search': {
        const text = this.#readValue()
        this.#scanner.skipSpace()
        this.#scanner.expect(',')
        this.#scanner.skipSpace()
        return { kind: 'test', test: { kind: 'call', name, text, pattern: this.#readValue() } }
      }
      default:
        return null
    }
  }

  #readValue(): Comparable {
    return this.#toComparable(this.#readOperand())
  }

  #toTest(operand: Operand): Test {
    if (operand.kind === 'test') return operand.test
    if (operand.kind === 'query') return { kind: 'exists', query: operand.query }
    throw this.#scanner.error('a value on its own is not a test; a comparison is expected')
  }

  #toComparable(operand: Operand): Comparable {
    if (operand.kind === 'value') return operand.value
    if (operand.kind === 'query' && isSingular(operand.query)) return operand
    throw this.#scanner.error(
      operand.kind === 'query'
        ? 'a query that may find several values cannot be compared; value() returns one of them'
        : 'the result of match or search cannot be compared',
    )
  }
}
