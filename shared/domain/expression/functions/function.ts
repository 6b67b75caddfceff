import type { LinearRegExp } from '#shared/json-schema/patterns/linear-regexp.ts'
import type { ExpressionError } from '../expression-error.ts'
import type { Random } from '../random.ts'
import type { Burn } from '../steps.ts'
import { isList, isValueObject, kindNames, kindOf, type Value, type ValueObject } from '../value.ts'

/** The arguments of a function call, and its access to the evaluation. */
export type Call = {
  args: readonly (Value | Callback)[]
  burn: Burn
  /** Throws if a value nests deeper than allowed. Called by functions that read a value level by level. */
  nested(depth: number): void
  random: Random
  /** Compiles a pattern. Passed in, so that code that only checks expressions does not import the engine. @throws PatternError */
  pattern(source: string): LinearRegExp
  /** @returns an error at the call; its message continues after the name of the function, such as "takes a list" */
  error(message: string): ExpressionError
  /** The same for a bound that the call exceeds. */
  limit(message: string): ExpressionError
}
export type Callback = (...args: Value[]) => Value

/** A function that expressions can call. */
export type ExpressionFunction = {
  /** The minimum and maximum number of arguments. */
  least: number
  most: number
  /** The position, from 0, of the argument that is a function of an element, such as `x => x.price`. */
  callback?: number
  /** That argument may also be a value. */
  isEither?: true
  call(call: Call): Value
}

/** Readers of arguments. Each takes the position of an argument, from 0, and throws if the argument is of another kind. */

export function valueAt({ args }: Call, n: number): Value {
  const value = args[n] ?? null
  return typeof value === 'function' ? null : value
}

export function isGiven({ args }: Call, n: number): boolean {
  return args.length > n
}

export function listAt(call: Call, n: number): readonly Value[] {
  const value = valueAt(call, n)
  if (isList(value)) return value
  throw wrongKind(call, 'a list', n)
}

export function objectAt(call: Call, n: number): ValueObject {
  const value = valueAt(call, n)
  if (isValueObject(value)) return value
  throw wrongKind(call, 'an object', n)
}

export function textAt(call: Call, n: number): string {
  const value = valueAt(call, n)
  if (typeof value === 'string') return value
  throw wrongKind(call, 'a text', n)
}

export function numberAt(call: Call, n: number): number {
  const value = valueAt(call, n)
  if (typeof value === 'number') return value
  if (kindOf(value) === 'number') throw call.error(losesDigits)
  throw wrongKind(call, 'a number', n)
}

/** @param otherwise the value if the argument is absent */
export function integerAt(call: Call, n: number, otherwise?: number): number {
  if (otherwise !== undefined && !isGiven(call, n)) return otherwise
  const value = numberAt(call, n)
  if (Number.isSafeInteger(value)) return value
  throw call.error(`takes a whole number${ordinal(n)}, not ${value}`)
}

export function callbackAt({ args }: Call, n: number): Callback | null {
  const value = args[n]
  return typeof value === 'function' ? value : null
}

export function conditionAt(call: Call, n: number): (value: Value, index: number) => boolean {
  const callback = callbackAt(call, n)
  return (value, index) => {
    const passes = callback ? callback(value, index) : value
    if (typeof passes === 'boolean') return passes
    throw call.error(`takes a condition that is true or false, not ${kindNames[kindOf(passes)]}`)
  }
}

export function wrongKind(call: Call, wanted: string, n: number): Error {
  return call.error(`takes ${wanted}${ordinal(n)}, not ${kindNames[kindOf(valueAt(call, n))]}`)
}

export const losesDigits = 'would lose digits of a number that a double cannot hold'

const ordinal = (n: number) => ` as argument ${n + 1}`
