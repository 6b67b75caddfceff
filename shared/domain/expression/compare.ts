import { compareTexts } from '#shared/json/compare/compare-texts.ts'
import { isEqual } from '#shared/json/compare/equality.ts'
import { compareDecimals } from '#shared/json/decimal.ts'
import { isRawNumber } from '#shared/json/exact.ts'
import { type Burn, extraOfMembers, stepsOf, stepsOfDigits } from './steps.ts'
import { kindOf, type RawNumber, type Value } from './value.ts'

/** How a comparison counts its steps. `nested` throws if values nest deeper than allowed. */
export type Comparing = { burn: Burn; nested(depth: number): void }

/** Whether two values are equal. Numbers are compared by decimal value, objects regardless of the order of keys. */
export function isSame(left: Value, right: Value, { burn, nested }: Comparing): boolean {
  return isEqual(left, right, {
    compared(one, other, depth) {
      burn(1)
      nested(depth)
      if (isRawNumber(one) && isRawNumber(other)) burn(stepsOfDigits(one.rawJSON.length + other.rawJSON.length))
    },
    listed: (members) => burn(extraOfMembers(members)),
  })
}

/** Compares two numbers, or two texts by code points. Below 0 if `left` comes first; null: the values have no order. */
export function compareValues(left: Value, right: Value, burn: Burn): number | null {
  burn(1)
  if (typeof left === 'number' && typeof right === 'number') return left - right
  if (typeof left === 'string' && typeof right === 'string') {
    burn(stepsOf(Math.min(left.length, right.length)))
    return compareTexts(left, right)
  }
  if (kindOf(left) !== 'number' || kindOf(right) !== 'number') return null
  const [one, other] = [left, right].map((number) => textOf(number as number | RawNumber))
  if (one === undefined || other === undefined) return null
  burn(stepsOfDigits(one.length) + stepsOfDigits(other.length))
  return compareDecimals(one, other)
}

const textOf = (number: number | RawNumber) => (isRawNumber(number) ? number.rawJSON : String(number))
