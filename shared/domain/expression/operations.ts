import { type Comparing, compareValues, isSame } from './compare.ts'
import type { ExpressionError } from './expression-error.ts'
import { stepsOf, stepsToFind } from './steps.ts'
import type { BinarySign } from './syntax.ts'
import { isList, isValueObject, kindNames, kindOf, type Value } from './value.ts'

/** The context of an operation: `error` creates an error at its operator. */
export type Operation = Comparing & { error(message: string): ExpressionError }

/** The operators that evaluate both operands. The others, such as `&&`, evaluate the second one only if it decides. */
type Sign = Exclude<BinarySign, '&&' | '||' | '??'>

/** @throws ExpressionError if the operator does not accept these values, or JSON cannot represent the result */
export function operate(sign: Sign, [one, other]: readonly [Value, Value], operation: Operation): Value {
  switch (sign) {
    case '==':
    case '!=':
      return isSame(one, other, operation) === (sign === '==')
    case 'in':
    case 'not in':
      return isIn(one, other, { sign, ...operation }) === (sign === 'in')
    case '+':
      return joined(one, other, operation)
    case '<':
    case '<=':
    case '>':
    case '>=':
      return orders[sign](compared(one, other, { sign, ...operation }))
    default: {
      const numbers = [one, other].map((value) => numberOf(value, { sign, ...operation }))
      return numberOrFail(calculations[sign](numbers[0] ?? 0, numbers[1] ?? 0), operation)
    }
  }
}

/** `-value`. @throws ExpressionError if the value is not a number */
export function negate(value: Value, operation: Operation): number {
  return numberOrFail(-numberOf(value, { sign: '-', ...operation }), operation)
}

type Signed = Operation & { sign: Sign }

function isIn(part: Value, whole: Value, { sign, burn, nested, error }: Signed): boolean {
  if (isList(whole)) return whole.some((entry) => isSame(part, entry, { burn, nested }))
  if (typeof part === 'string' && isValueObject(whole)) return Object.hasOwn(whole, part)
  if (typeof part === 'string' && typeof whole === 'string') {
    burn(stepsToFind(whole.length, part.length))
    return whole.includes(part)
  }
  throw error(
    `"${sign}" looks for a value in a list, a key in an object or a text in a text, not for ${named(part, 'in', whole)}`,
  )
}

function joined(one: Value, other: Value, operation: Operation): Value {
  const { burn, error } = operation
  if (typeof one === 'string' && typeof other === 'string') {
    burn(stepsOf(one.length + other.length))
    return one + other
  }
  if (isList(one) && isList(other)) {
    burn(one.length + other.length)
    return [...one, ...other]
  }
  const kinds = [kindOf(one), kindOf(other)]
  if (kinds.every((kind) => kind === 'number')) {
    const [left, right] = [one, other].map((value) => numberOf(value, { sign: '+', ...operation }))
    return numberOrFail((left ?? 0) + (right ?? 0), { error })
  }
  const hint = kinds.includes('text') ? '; text(…) converts a value to a text' : ''
  throw error(`"+" joins two numbers, two texts or two lists, not ${named(one, 'and', other)}${hint}`)
}

function compared(one: Value, other: Value, { sign, burn, error }: Signed): number {
  const order = compareValues(one, other, burn)
  if (order !== null) return order
  throw error(`"${sign}" compares two numbers or two texts, not ${named(one, 'and', other)}`)
}

function numberOf(value: Value, { sign, error }: Signed): number {
  if (typeof value === 'number') return value
  if (kindOf(value) === 'number') throw error(`"${sign}" would lose digits of a number that a double cannot hold`)
  throw error(`"${sign}" takes numbers, not ${kindNames[kindOf(value)]}`)
}

/**
 * Checks the result of an operation or a function: JSON has no infinity or NaN, and -0 becomes 0.
 * @throws ExpressionError
 */
export function numberOrFail(value: number, { error }: Pick<Operation, 'error'>): number {
  if (Number.isFinite(value)) return value === 0 ? 0 : value
  throw error(
    Number.isNaN(value)
      ? 'this is not a number, as in 0 / 0'
      : 'this number is too large, or the result of a division by 0',
  )
}

const named = (one: Value, between: string, other: Value) =>
  `${kindNames[kindOf(one)]} ${between} ${kindNames[kindOf(other)]}`

const orders = {
  '<': (order: number) => order < 0,
  '<=': (order: number) => order <= 0,
  '>': (order: number) => order > 0,
  '>=': (order: number) => order >= 0,
}

const calculations = {
  '-': (one: number, other: number) => one - other,
  '*': (one: number, other: number) => one * other,
  '/': (one: number, other: number) => one / other,
  '%': (one: number, other: number) => one % other,
}
