import { compareValues, isSame } from '../compare.ts'
import { isList, kindNames, kindOf, type Value } from '../value.ts'
import {
  type Call,
  callbackAt,
  conditionAt,
  type ExpressionFunction,
  integerAt,
  isGiven,
  listAt,
  losesDigits,
  valueAt,
} from './function.ts'

const oneOrTwo = { least: 1, most: 2, callback: 1 } as const
const two = { least: 2, most: 2, callback: 1 } as const

/** Functions of lists. A function of an element receives the element and its position, from 0. */
export const listFunctions: Readonly<Record<string, ExpressionFunction>> = {
  /** The first element, or the first that meets a condition; null if there is none. */
  first: { ...oneOrTwo, call: (call) => passing(call).next().value ?? null },
  last: { ...oneOrTwo, call: (call) => [...passing(call)].at(-1) ?? null },
  find: { ...two, call: (call) => passing(call).next().value ?? null },
  filter: { ...two, call: (call) => [...passing(call)] },
  count: { ...oneOrTwo, call: (call) => [...passing(call)].length },
  some: { ...oneOrTwo, call: (call) => elements(call).some(conditionAt(call, 1)) },
  every: { ...oneOrTwo, call: (call) => elements(call).every(conditionAt(call, 1)) },
  map: { ...two, call: mapped },
  reverse: { least: 1, most: 1, call: (call) => elements(call).toReversed() },
  sort: { ...oneOrTwo, call: sorted },
  unique: { ...oneOrTwo, call: unique },
  flatten: { least: 1, most: 1, call: flattened },
  sum: { ...oneOrTwo, call: (call) => numbers(call).reduce((sum, number) => sum + number, 0) },
  min: { least: 1, most: 100, callback: 1, isEither: true, call: (call) => extreme(call, -1) },
  max: { least: 1, most: 100, callback: 1, isEither: true, call: (call) => extreme(call, 1) },
  range: { least: 1, most: 3, call: range },
  shuffle: { least: 1, most: 1, call: shuffled },
}

/** The list argument; counts a step per element. */
function elements(call: Call): readonly Value[] {
  const list = listAt(call, 0)
  call.burn(list.length)
  return list
}

function* passing(call: Call): Generator<Value, undefined> {
  const passes = callbackAt(call, 1) ? conditionAt(call, 1) : () => true
  for (const [n, value] of elements(call).entries()) if (passes(value, n)) yield value
}

function mapped(call: Call): Value[] {
  const callback = callbackAt(call, 1)
  return elements(call).map((value, n) => callback?.(value, n) ?? null)
}

type Keyed = { value: Value; key: Value }

/** The elements with their keys: computed by the function argument, or the element itself if there is none. */
function keyed(call: Call): Keyed[] {
  const callback = callbackAt(call, 1)
  return elements(call).map((value, n) => ({ value, key: callback ? callback(value, n) : value }))
}

function sorted(call: Call): Value[] {
  const isBehind = (one: Keyed, other: Keyed) => order(call, one.key, other.key) > 0
  return mergeSort(keyed(call), isBehind).map(({ value }) => value)
}

/** Not the built-in sort: each comparison is a step, and JavaScript engines compare different pairs. */
function mergeSort(list: readonly Keyed[], isBehind: (one: Keyed, other: Keyed) => boolean): readonly Keyed[] {
  if (list.length < 2) return list
  const half = Math.floor(list.length / 2)
  const [left, right] = [list.slice(0, half), list.slice(half)].map((part) => mergeSort(part, isBehind))
  if (!left || !right) return list
  const merged: Keyed[] = []
  for (let l = 0, r = 0; merged.length < list.length; ) {
    const [one, other] = [left[l], right[r]]
    const takesLeft = other === undefined || (one !== undefined && !isBehind(one, other))
    const next = takesLeft ? left[l++] : right[r++]
    if (next) merged.push(next)
  }
  return merged
}

function order(call: Call, one: Value, other: Value): number {
  const found = compareValues(one, other, call.burn)
  if (found !== null) return found
  throw call.error(`compares numbers or texts, not ${kindNames[kindOf(one)]} and ${kindNames[kindOf(other)]}`)
}

function unique(call: Call): Value[] {
  const kept: Keyed[] = []
  for (const entry of keyed(call)) if (!kept.some(({ key }) => isSame(key, entry.key, call))) kept.push(entry)
  return kept.map(({ value }) => value)
}

/** Replaces each inner list by its elements, one level deep. Counts steps before it copies: the same list may occur many times. */
function flattened(call: Call): Value[] {
  const list = elements(call)
  call.burn(list.reduce((sum: number, value) => sum + (isList(value) ? value.length : 1), 0))
  return list.flatMap((value) => (isList(value) ? value : [value]))
}

function numbers(call: Call): number[] {
  return keyed(call).map(({ key }) => {
    if (typeof key === 'number') return key
    throw call.error(kindOf(key) === 'number' ? losesDigits : `takes numbers, not ${kindNames[kindOf(key)]}`)
  })
}

/** The extreme value of a list or of the arguments; null for an empty list. @param sign 1: the greatest, -1: the smallest */
function extreme(call: Call, sign: 1 | -1): Value {
  const isOne = call.args.length === 1 || callbackAt(call, 1)
  if (!isOne && call.args.some((arg) => typeof arg === 'function')) throw call.error('takes a function as argument 2')
  const entries = isOne ? keyed(call) : call.args.map((_, n) => ({ value: valueAt(call, n), key: valueAt(call, n) }))
  const [first, ...rest] = entries
  let best = first
  for (const entry of rest) if (best && order(call, entry.key, best.key) * sign > 0) best = entry
  return best?.value ?? null
}

const maxRange = 10_000

/** Whole numbers from the first argument (0) up to, but not including, the second, in steps of the third (1). */
function range(call: Call): Value[] {
  const start = isGiven(call, 1) ? integerAt(call, 0) : 0
  const end = isGiven(call, 1) ? integerAt(call, 1) : integerAt(call, 0)
  const step = integerAt(call, 2, 1)
  if (step === 0) throw call.error('takes a step that is not 0')
  const length = Math.max(0, Math.ceil((end - start) / step))
  if (length > maxRange) throw call.limit(`creates at most ${maxRange.toLocaleString('en-US')} numbers`)
  call.burn(length)
  return Array.from({ length }, (_, n) => start + n * step)
}

function shuffled(call: Call): Value[] {
  const list = [...elements(call)]
  for (let n = list.length - 1; n > 0; n--) {
    const other = Math.floor(call.random.next() * (n + 1))
    const moved = list[n] ?? null
    list[n] = list[other] ?? null
    list[other] = moved
  }
  return list
}
