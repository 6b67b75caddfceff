import { errorPath, type FieldError } from '#shared/errors.ts'
import { isObject } from '#shared/json/is-object.ts'
import { findSyntaxError } from '#shared/json/text/syntax-error.ts'
import type { SearchOptions } from '../../search/query.ts'
import { isSearchOption } from '../filters.ts'
import { isEmptyFilter } from './negation.ts'
import type { Combined, Leaf } from './question.ts'
import { readSearchOption, withoutSearch } from './search-filter.ts'

/** The bounds of `where` (contract 1.4): conditions, levels of `or`, `and` and `not`, and characters. Several keys in one object mean `and`. */
export const whereBounds = { leaves: 20, levels: 4, length: 10_000 } as const

/**
 * Reads one condition.
 * @param source as in a query: a text, a number or a flag; `null` means without a value
 * @param options the options of `search` next to it
 */
export type LeafReader<L extends Kind = Leaf> = (
  name: string,
  source: string | number | boolean | null,
  options: SearchOptions,
) => Combined<L> | { error: string }

type Kind = { kind: string }
/** The question, or the errors. */
type Read<L extends Kind> = { question: Combined<L> } | { errors: FieldError[] }

/**
 * Parses the text of `where`: an object whose keys are conditions that must all hold. `or` and `and` have an array of such objects, `not`
 * has one. A condition that is an array must hold with each of its elements.
 * @returns the question, or all errors, each with its path such as `where.or.1.minutes`
 */
export function readWhere(text: string, readLeaf: LeafReader): Read<Leaf> {
  if (text.length > whereBounds.length)
    return { errors: [{ path: 'where', message: `must be at most ${whereBounds.length} characters long` }] }
  const syntaxError = findSyntaxError(text, maxJsonDepth)
  if (syntaxError)
    return {
      errors: [{ path: 'where', message: `${expected}: ${syntaxError.why} at character ${syntaxError.offset}` }],
    }
  return readConditions(JSON.parse(text), 'where', readLeaf)
}

/**
 * The same for a parsed object.
 * @param path of the object, dotted
 */
export function readConditions<L extends Kind>(value: unknown, path: string, readLeaf: LeafReader<L>): Read<L> {
  const reading: Reading<L> = { readLeaf, errors: [], leaves: 0 }
  const question = readObject(reading, value, { path, level: 0 })
  if (reading.leaves > whereBounds.leaves) {
    const message = `must have at most ${whereBounds.leaves} conditions, and has ${reading.leaves}`
    reading.errors.push({ path, message })
  }
  return question && reading.errors.length === 0 ? { question } : { errors: reading.errors }
}

const expected = 'must be a JSON text such as {"or": [{"title": "soup"}, {"not": {"tagged": "draft"}}]}'
/** More than the levels that `where` may have. */
const maxJsonDepth = 30

type Reading<L extends Kind> = { readLeaf: LeafReader<L>; errors: FieldError[]; leaves: number }
type Errors = Pick<Reading<Kind>, 'errors'>
/** `level`: how many levels are around it. */
type Place = { path: string; level: number }
/** A condition to read, with the options of `search` next to it. */
type Named = { name: string; value: unknown; options: SearchOptions }

/** @returns null where there are errors */
function readObject<L extends Kind>(reading: Reading<L>, value: unknown, { path, level }: Place): Combined<L> | null {
  if (!isObject(value)) return fail(reading, path, path === 'where' ? expected : 'must be an object of conditions')
  const entries = Object.entries(value).filter(([name]) => !isSearchOption(name))
  const options = readOptions(reading, value, path)
  if (Object.keys(value).length === 0) return fail(reading, path, 'must name a condition, such as {"title": "soup"}')
  if (entries.length === 0) return null
  const inside = entries.length > 1 ? level + 1 : level
  if (inside > whereBounds.levels) return tooDeep(reading, path)
  const place = { path, level: inside }
  return all(entries.map(([name, entry]) => readEntry(reading, { name, value: entry, options }, place)))
}

/** The options of `search` in an object of conditions. */
function readOptions({ errors }: Errors, value: object, path: string): SearchOptions {
  const options: SearchOptions = {}
  for (const [name, option] of Object.entries(value)) {
    if (!isSearchOption(name)) continue
    const read = Object.hasOwn(value, 'search') ? readSearchOption(name, option) : { error: withoutSearch }
    if ('error' in read) errors.push({ path: errorPath(path, name), message: read.error })
    else Object.assign(options, read)
  }
  return options
}

function readEntry<L extends Kind>(
  reading: Reading<L>,
  named: Named,
  { path: parent, level }: Place,
): Combined<L> | null {
  const { name, value } = named
  const path = errorPath(parent, name)
  if (!isGroup(name)) return readLeaves(reading, named, path)
  if (level >= whereBounds.levels) return tooDeep(reading, path)
  if (name === 'not') {
    const of = readObject(reading, value, { path, level: level + 1 })
    return of && { kind: 'not', of }
  }
  if (!Array.isArray(value) || value.length === 0)
    return fail(reading, path, 'must be an array of objects of conditions, at least one')
  const of = value
    .slice(0, maxBranches)
    .map((one, n) => readObject(reading, one, { path: `${path}.${n}`, level: level + 1 }))
  if (value.length > maxBranches) return fail(reading, path, `must have at most ${whereBounds.leaves} conditions`)
  const read = of.filter((one) => one !== null)
  return read.length === of.length ? { kind: name, of: read } : null
}

/** Whether a name in `where` combines conditions instead of being one. */
export function isGroup(name: string): name is 'or' | 'and' | 'not' {
  return name === 'or' || name === 'and' || name === 'not'
}

/** Each branch has at least one condition. */
const maxBranches = whereBounds.leaves

function readLeaves<L extends Kind>(reading: Reading<L>, named: Named, path: string): Combined<L> | null {
  const { value } = named
  if (!Array.isArray(value)) return readLeaf(reading, named, path)
  if (value.length === 0 || value.length > maxBranches)
    return fail(reading, path, `must have 1 to ${whereBounds.leaves} conditions`)
  return all(value.map((one, n) => readLeaf(reading, { ...named, value: one }, `${path}.${n}`)))
}

function readLeaf<L extends Kind>(
  reading: Reading<L>,
  { name, value, options }: Named,
  path: string,
): Combined<L> | null {
  reading.leaves++
  if (reading.leaves > whereBounds.leaves) return null
  if (!isScalar(value)) return fail(reading, path, 'must be a string, a number, true, false or null')
  if (typeof value === 'string' && isEmptyFilter(value))
    return fail(reading, path, 'must not be empty; use eq: for the empty text')
  const leaf = reading.readLeaf(name, value, options)
  return 'error' in leaf ? fail(reading, path, leaf.error) : leaf
}

function isScalar(value: unknown): value is string | number | boolean | null {
  return value === null || ['string', 'number', 'boolean'].includes(typeof value)
}

/** The question that requires all; null if one could not be read. */
function all<L extends Kind>(questions: readonly (Combined<L> | null)[]): Combined<L> | null {
  const [first, ...others] = questions
  if (others.length === 0) return first ?? null
  const of = questions.filter((question) => question !== null)
  return of.length === questions.length ? { kind: 'and', of } : null
}

function tooDeep(reading: Errors, path: string): null {
  const message = `is deeper than ${whereBounds.levels} levels of "or", "and" and "not"; several keys in one object are "and"`
  return fail(reading, path, message)
}

function fail({ errors }: Errors, path: string, message: string): null {
  errors.push({ path, message })
  return null
}
