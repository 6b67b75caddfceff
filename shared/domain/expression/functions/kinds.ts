import { isRawNumber } from '#shared/json/exact.ts'
import { stepsOf } from '../steps.ts'
import { isList, type Kind, kindOf, type Value } from '../value.ts'
import { type Call, type ExpressionFunction, valueAt } from './function.ts'

const isKind = (kind: Kind): ExpressionFunction => ({
  least: 1,
  most: 1,
  call: (call) => kindOf(valueAt(call, 0)) === kind,
})

/** Functions of any value. */
export const kindFunctions: Readonly<Record<string, ExpressionFunction>> = {
  isString: isKind('text'),
  isNumber: isKind('number'),
  isBoolean: isKind('boolean'),
  isList: isKind('list'),
  isObject: isKind('object'),
  isNull: isKind('null'),
  /** A text unchanged, or any other value as JSON. */
  text: {
    least: 1,
    most: 1,
    call(call) {
      const value = valueAt(call, 0)
      return typeof value === 'string' ? value : json(call, value)
    },
  },
  /** Compact JSON. */
  json: { least: 1, most: 1, call: (call) => json(call, valueAt(call, 0)) },
  /** A random id, in the form of UUID version 4. */
  uuid: { least: 0, most: 0, call: uuid },
}

/** Written part by part, counting steps before each: a list may contain the same value many times. */
function json(call: Call, value: Value, depth = 0): string {
  call.burn(1)
  call.nested(depth)
  if (isList(value)) return `[${value.map((entry) => json(call, entry, depth + 1)).join()}]`
  if (typeof value === 'object' && value !== null && !isRawNumber(value)) {
    const members = Object.entries(value).map(([key, member]) => `${json(call, key)}:${json(call, member, depth + 1)}`)
    return `{${members.join()}}`
  }
  const written = JSON.stringify(value)
  call.burn(stepsOf(written.length))
  return written
}

function uuid({ random }: Call): string {
  let hex = ''
  for (let n = 0; n < 32; n++) {
    const digit = Math.floor(random.next() * 16)
    hex += hexDigits[n === 12 ? 4 : n === 16 ? 8 + (digit % 4) : digit]
  }
  return [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20)].join('-')
}

const hexDigits = '0123456789abcdef'
