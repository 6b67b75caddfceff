import { PatternError } from '#shared/json-schema/patterns/pattern-error.ts'
import { countCharacters, sliceCharacters } from '../characters.ts'
import { isSame } from '../compare.ts'
import { stepsOf, stepsOfMembers, stepsToFind, stepsToScan } from '../steps.ts'
import { isList, isValueObject, type Value } from '../value.ts'
import {
  type Call,
  type ExpressionFunction,
  integerAt,
  isGiven,
  listAt,
  textAt,
  valueAt,
  wrongKind,
} from './function.ts'

/** Functions of texts; some take lists as well. A character is a Unicode code point. */
export const textFunctions: Readonly<Record<string, ExpressionFunction>> = {
  /** The number of characters of a text, elements of a list or members of an object. */
  length: { least: 1, most: 1, call: lengthOf },
  /** A part of a text or a list, from one position up to, but not including, another. Negative positions count from the end. */
  slice: { least: 2, most: 3, call: sliced },
  trim: { least: 1, most: 1, call: (call) => read(call, 0).trim() },
  lower: { least: 1, most: 1, call: (call) => scanned(call).toLowerCase() },
  upper: { least: 1, most: 1, call: (call) => scanned(call).toUpperCase() },
  split: { least: 2, most: 2, call: split },
  join: {
    least: 1,
    most: 2,
    call: (call) => joined(call, listAt(call, 0).map(asText(call)), isGiven(call, 1) ? textAt(call, 1) : ''),
  },
  /** A text with each occurrence of a part replaced. */
  replace: { least: 3, most: 3, call: replaced },
  startsWith: { least: 2, most: 2, call: (call) => read(call, 0).startsWith(textAt(call, 1)) },
  endsWith: { least: 2, most: 2, call: (call) => read(call, 0).endsWith(textAt(call, 1)) },
  /** Whether a text contains a part, or a list an element. */
  contains: { least: 2, most: 2, call: contains },
  /** Whether a text matches a pattern: a regular expression as in JSON Schema, found anywhere in the text. */
  matches: { least: 2, most: 2, call: matches },
}

/** The text argument; counts steps for its characters. */
function read(call: Call, n: number): string {
  const text = textAt(call, n)
  call.burn(stepsOf(text.length))
  return text
}

function scanned(call: Call): string {
  const text = textAt(call, 0)
  call.burn(stepsToScan(text.length))
  return text
}

/** A text argument, and the part to find in it. */
function textAndPart(call: Call): [text: string, part: string] {
  const [text, part] = [textAt(call, 0), textAt(call, 1)]
  call.burn(stepsToFind(text.length, part.length))
  return [text, part]
}

function lengthOf(call: Call): number {
  const value = valueAt(call, 0)
  if (typeof value === 'string') return countCharacters(read(call, 0))
  if (isList(value)) return value.length
  if (isValueObject(value)) return counted(call, Object.keys(value).length)
  throw wrongKind(call, 'a text, a list or an object', 0)
}

/** Counting members requires reading all keys. */
function counted(call: Call, members: number): number {
  call.burn(stepsOfMembers(members))
  return members
}

function sliced(call: Call): Value {
  const value = valueAt(call, 0)
  const [from, to] = [integerAt(call, 1), isGiven(call, 2) ? integerAt(call, 2) : undefined]
  if (typeof value === 'string') return sliceCharacters(read(call, 0), from, to)
  if (!isList(value)) throw wrongKind(call, 'a text or a list', 0)
  const part = value.slice(from, to)
  call.burn(part.length)
  return part
}

function split(call: Call): Value {
  const [text, separator] = textAndPart(call)
  if (separator === '') return characters(call, text)
  const parts = text.split(separator)
  call.burn(parts.length)
  return parts
}

/** Counts steps before it creates the list. */
function characters(call: Call, text: string): string[] {
  call.burn(countCharacters(text))
  return [...text]
}

const asText = (call: Call) => (value: Value) => {
  if (typeof value === 'string') return value
  throw call.error('takes a list of texts')
}

/** Counts steps before it builds the text, which can be much longer than its parts. */
function joined(call: Call, parts: readonly string[], separator: string): string {
  const length = parts.reduce((sum, part) => sum + part.length, separator.length * Math.max(0, parts.length - 1))
  call.burn(parts.length + stepsOf(length))
  return parts.join(separator)
}

function replaced(call: Call): Value {
  const [text, part] = textAndPart(call)
  if (part === '') throw call.error('takes a text of at least one character as argument 2')
  return joined(call, text.split(part), textAt(call, 2))
}

function contains(call: Call): boolean {
  const whole = valueAt(call, 0)
  if (isList(whole)) return whole.some((entry) => isSame(entry, valueAt(call, 1), call))
  if (typeof whole === 'string') {
    const [text, part] = textAndPart(call)
    return text.includes(part)
  }
  throw wrongKind(call, 'a text or a list', 0)
}

const maxPatternLength = 1_024

/** Trying one instruction on a character costs as much as reading this many characters. */
const charactersOfInstruction = 4

function matches(call: Call): boolean {
  const [text, pattern] = [read(call, 0), textAt(call, 1)]
  if (pattern.length > maxPatternLength) throw call.error(`takes a pattern of at most ${maxPatternLength} characters`)
  try {
    const compiled = call.pattern(pattern)
    call.burn(1 + stepsOf(text.length * compiled.size * charactersOfInstruction))
    return compiled.test(text)
  } catch (error) {
    if (error instanceof PatternError)
      throw call.error(`takes a pattern that is a regular expression; this one ${error.message}`)
    throw error
  }
}
