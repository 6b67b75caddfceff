import { parseExact } from '#shared/json/exact.ts'
import { stepsOf, stepsOfDigits } from '../steps.ts'
import type { Value } from '../value.ts'
import { type Call, type ExpressionFunction, integerAt, numberAt, textAt } from './function.ts'

const one = { least: 1, most: 1 } as const
const oneOrTwo = { least: 1, most: 2 } as const

/** Functions of numbers. Rounding is half away from 0. */
export const numberFunctions: Readonly<Record<string, ExpressionFunction>> = {
  /** Rounds to a number of decimal places; 0 if absent. */
  round: { ...oneOrTwo, call: (call) => rounded(call, (number) => Math.sign(number) * Math.round(Math.abs(number))) },
  floor: { ...oneOrTwo, call: (call) => rounded(call, Math.floor) },
  ceil: { ...oneOrTwo, call: (call) => rounded(call, Math.ceil) },
  abs: { ...one, call: (call) => Math.abs(numberAt(call, 0)) },
  /** The text as a number; null if it is not a number. */
  parseNumber: { ...one, call: parseNumber },
  /** A random number from 0 to below 1, or a random whole number from the first argument to the second, both included. */
  random: { least: 0, most: 2, call: random },
}

const maxPlaces = 15

/** Moves the decimal point in the text of the number, because 1.005 * 100 is less than 100.5 in doubles. */
function rounded(call: Call, round: (number: number) => number): number {
  const [number, places] = [numberAt(call, 0), integerAt(call, 1, 0)]
  if (Math.abs(places) > maxPlaces) throw call.error(`takes at most ${maxPlaces} decimal places`)
  const moved = shifted(number, places)
  // A number this large has no digits after the decimal point.
  return Number.isFinite(moved) ? shifted(round(moved), -places) : number
}

function shifted(number: number, places: number): number {
  const [digits, exponent = '0'] = String(number).split('e')
  return Number(`${digits}e${Number(exponent) + places}`)
}

/** A number whose text is at most this long fits a double exactly, unless it has an exponent. */
const lengthOfDouble = 15

function parseNumber(call: Call): Value {
  const given = textAt(call, 0)
  call.burn(stepsOf(given.length))
  const text = given.trim()
  if (text.length > lengthOfDouble) call.burn(stepsOfDigits(text.length))
  return /^-?(0|[1-9]\d*)(\.\d+)?([eE][+-]?\d+)?$/.test(text) ? (parseExact(text) as Value) : null
}

function random(call: Call): number {
  const number = call.random.next()
  if (call.args.length === 0) return number
  const [from, to] = call.args.length === 1 ? [0, integerAt(call, 0)] : [integerAt(call, 0), integerAt(call, 1)]
  if (to < from || to - from >= 2 ** 32) throw call.error('takes two whole numbers, the second not below the first')
  return from + Math.floor(number * (to - from + 1))
}
