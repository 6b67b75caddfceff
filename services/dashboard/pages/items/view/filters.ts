import type { Index } from '#client/src/types/resources.ts'
import { isId } from '#shared/domain/id.ts'
import { type FilteredField, itemFilters, withoutValue } from '#shared/domain/item/filters.ts'
import { readNegation } from '#shared/domain/item/questions/negation.ts'
import { parseNumber } from '#shared/domain/item/questions/number-filter.ts'
import { readTagFilter } from '#shared/domain/tags.ts'
import { parseDate, parseDay } from '#shared/domain/text/date.ts'
import { filterPrefixes, type PrefixedKind, type PrefixOf } from '#shared/domain/text/filter-prefixes.ts'
import { isObject } from '#shared/json/is-object.ts'

/**
 * How the values of a field are compared. `activated`: a flag whose filter also accepts a word for both values; `where`: combined
 * conditions, as JSON text like in the API.
 */
export type FilterKind = PrefixedKind | 'flag' | 'activated' | 'tags' | 'where'

/** Something that the items of a list can be filtered by. */
export type FilterField = {
  /** Its parameter in the query of the API: `tagged`, or `index.title`. */
  name: string
  label: string
  kind: FilterKind
  /** Items may have no value. */
  optional?: true
  /** Why the field cannot be used now. */
  problem?: string
  /** The pointer of an index: where its values are in the data. */
  pointer?: string
}

/** One condition. In the query, it is the parameter `field` with the prefix of `operator` and `value`. */
export type Filter = { field: string; operator: string; value: string }

/** `prefix` precedes the value in the query; `words` are shown between the field and the value. */
export type Operator = { name: string; prefix: string; words: string }

/** An operator, and its words when it is negated with `not:`. */
type OwnOperator = Operator & { contrary: string }

const operator = (name: string, prefix: string, words: string, contrary = `not ${words}`): OwnOperator => ({
  name,
  prefix,
  words,
  contrary,
})

const is = operator('is', '', 'is', 'is not')
/** The item has no value. */
const empty = operator('empty', withoutValue, 'has no value', 'has a value')

/** The words of an operator, and of its negation if that is not "not" with the same words. */
type Words = readonly [words: string, contrary?: string]
const isOneOf: Words = ['is one of', 'is none of']

/** The operators for the prefixes of a kind, in the order of `words`. @param words null: the prefix has the meaning of another operator */
function prefixed<Kind extends PrefixedKind>(words: Readonly<Record<PrefixOf<Kind>, Words | null>>): OwnOperator[] {
  return Object.entries<Words | null>(words).flatMap(([prefix, said]) =>
    said ? [operator(prefix === 'eq' ? is.name : prefix, `${prefix}:`, ...said)] : [],
  )
}

/** The default operator of each kind is first. The operator `is` without a prefix also reads `eq:`. */
const ownOperators: Readonly<Record<FilterKind, readonly [OwnOperator, ...OwnOperator[]]>> = {
  text: [
    operator('contains', '', 'contains', 'does not contain'),
    ...prefixed<'text'>({ eq: ['is', 'is not'], starts: ['begins with', 'does not begin with'], in: isOneOf }),
  ],
  number: [
    is,
    ...prefixed<'number'>({
      eq: null,
      gte: ['at least'],
      lte: ['at most'],
      gt: ['more than'],
      lt: ['less than'],
      in: isOneOf,
    }),
  ],
  date: [
    is,
    ...prefixed<'date'>({
      eq: null,
      on: ['on the day'],
      gte: null,
      after: ['from'],
      lte: null,
      before: ['until'],
      gt: ['later than'],
      lt: ['earlier than'],
      in: isOneOf,
    }),
  ],
  flag: [is],
  activated: [is],
  tags: [operator('in', '', 'one of', 'none of')],
  id: [is, ...prefixed<'id'>({ eq: null, in: isOneOf })],
  where: [operator('where', '', '')],
}

/** The operators that the API has for a field, the default one first, followed by their negations. */
export function operatorsOf({ kind, optional }: FilterField): readonly Operator[] {
  const own = [...ownOperators[kind], ...(optional ? [empty] : [])]
  const isAlone = kind === 'flag' || kind === 'activated' || kind === 'where'
  return isAlone ? own : [...own, ...own.map(contraryOf)]
}

const not = 'not-'

/** The negation of an operator: it finds exactly the other items, including those without a value. */
function contraryOf({ name, prefix, contrary }: OwnOperator): Operator {
  return { name: not + name, prefix: `not:${prefix}`, words: contrary }
}

export const isContrary = (operator: string) => operator.startsWith(not)

/** Whether an operator only checks for any value, and so needs no value itself. */
export const asksForAny = (operator: string) => operator === empty.name || operator === not + empty.name

/** The fields to filter the items of a list with these indexes by. A field that cannot be used has a `problem`. */
export function filterFields(indexes: readonly Index[]): FilterField[] {
  const alias = indexes.find((index) => index.alias)
  return [
    ...(alias ? [{ ...ownField('alias', 'alias'), ...unless(buildProblem(alias)) }] : []),
    ...indexes.filter(({ guard }) => !guard).map(indexField),
    ...Object.entries(fieldLabels).map(([name, label]) => ownField(name as FilteredField, label)),
    { name: 'where', label: 'where', kind: 'where' },
  ]
}

/** In the order in which they are shown. */
const fieldLabels: Readonly<Record<FilteredField, string>> = {
  tagged: 'tags',
  readonly: 'readonly',
  activated: 'activated',
  identityId: 'owner',
  id: 'id',
  createdAt: 'created',
  updatedAt: 'changed',
  version: 'version',
  size: 'size in bytes',
}

function ownField(name: FilteredField | 'alias', label: string): FilterField {
  const filter = itemFilters[name]
  const kind = 'both' in filter ? 'activated' : filter.kind
  return { name, label, kind, ...('optional' in filter && { optional }) }
}

const optional = true as const

function indexField(index: Index): FilterField {
  const { pathName, pointer, valueType, filtering } = index
  const kind = valueType === 'string' ? 'text' : valueType
  const problem = filtering ? buildProblem(index) : 'its index does not filter'
  return { name: `index.${pathName}`, label: pathName, kind, optional, pointer, ...unless(problem) }
}

/** Why an index cannot be used now; undefined: it can. */
export function buildProblem({ activated, buildStatus }: Index): string | undefined {
  if (!activated) return 'its index is switched off'
  return { ready: undefined, building: 'its index is being built', failed: 'its index could not be built' }[buildStatus]
}

const unless = (problem: string | undefined) => (problem === undefined ? {} : { problem })

/** Reads a condition from a value of the query. */
export function readFilter({ name: field, kind, optional }: FilterField, source: string): Filter {
  const { isNot, rest: written } = kind === 'where' ? { isNot: false, rest: source } : readNegation(source)
  const rest = kind === 'date' ? written.replace(/^[gl]te:/, (prefix) => sameOfDates[prefix] ?? prefix) : written
  if (kind === 'flag' || kind === 'activated')
    return { field, operator: is.name, value: isNot ? (otherFlag[rest] ?? source) : withoutEq(rest) }
  const [usual, ...others] = ownOperators[kind]
  const found = optional && rest === empty.prefix ? empty : others.find(({ prefix }) => rest.startsWith(prefix))
  const { name, prefix } = found ?? usual
  const value = rest.slice(prefix.length)
  return { field, operator: isNot ? not + name : name, value: name === is.name && !found ? withoutEq(value) : value }
}

const sameOfDates: Readonly<Record<string, string>> = { 'gte:': 'after:', 'lte:': 'before:' }
const otherFlag: Readonly<Record<string, string>> = { true: 'false', 1: 'false', false: 'true', 0: 'true' }
const withoutEq = (value: string) => value.replace(/^eq:/, '')

/** The value of the query for a condition. */
export function printFilter(field: FilterField, { operator, value }: Filter): string {
  return (operatorNamed(field, operator)?.prefix ?? '') + value
}

const operatorNamed = (field: FilterField, operator: string) => operatorsOf(field).find(({ name }) => name === operator)

/** Why a condition is invalid, as the end of a sentence about it; null: it is valid. */
export function filterProblem({ name, kind, problem }: FilterField, { operator, value }: Filter): string | null {
  if (problem !== undefined) return `cannot be used: ${problem}`
  if (asksForAny(operator)) return null
  if (value === '') return 'needs a value'
  if (kind === 'text') return operator.endsWith('contains') ? partProblem(value) : null
  const all = operator.endsWith('in') ? value.split(',') : [value]
  if (kind === 'number') return all.every(isNumber) ? null : 'must be a number, such as 4 or 2.5'
  if (kind === 'date' && operator.endsWith('on'))
    return parseDay(value) === null ? 'must be a day such as 2026-03-01' : null
  if (kind === 'date') return all.every(isDate) ? null : 'must be a date such as 2026-03-01, or with T10:00Z'
  if (kind === 'flag') return flags.has(value) ? null : 'must be true or false'
  if (kind === 'activated')
    return flags.has(value) || value === itemFilters.activated.both ? null : 'must be true, false or any'
  if (kind === 'id')
    return value.split(',').every(isId) ? null : `must be the id of an ${name === 'id' ? 'item' : 'identity'}`
  if (kind === 'where') return whereProblem(value)
  const tags = all.map((tag) => tag.trim())
  if (tags.includes(withoutValue)) return 'cannot be "null", which has another meaning here'
  if (tags.includes('')) return 'has an empty tag'
  const read = readTagFilter(value)
  return 'error' in read ? read.error : null
}

const isNumber = (text: string) => parseNumber(text) !== null
const isDate = (text: string) => parseDate(text) !== null
const flags = new Set(['true', 'false', '1', '0'])

/** Prefixes with another meaning: a value for "contains" cannot begin with one. */
const otherBeginnings = [...Object.keys(filterPrefixes.text), 'not'].map((prefix) => `${prefix}:`)

function partProblem(value: string): string | null {
  const other = value === withoutValue ? value : otherBeginnings.find((prefix) => value.startsWith(prefix))
  return other ? `cannot begin with "${other}", which has another meaning here: use "begins with"` : null
}

/** Checks the form only: the server reports what is wrong with the conditions themselves. */
function whereProblem(text: string): string | null {
  try {
    if (isQuestion(JSON.parse(text))) return null
  } catch {}
  return 'must be JSON, such as {"or": [{"title": "soup"}, {"not": {"tagged": "draft"}}]}'
}

function isQuestion(value: unknown): boolean {
  if (!isObject(value)) return false
  return Object.entries(value).every(([name, one]) => {
    if (name === 'not') return isQuestion(one)
    const all = [one].flat()
    return name === 'or' || name === 'and'
      ? Array.isArray(one) && all.every(isQuestion)
      : all.every((leaf) => leaf === null || typeof leaf !== 'object')
  })
}

/** The words between the field and the value of a condition. */
export function wordsOf(field: FilterField, { operator }: Filter): string {
  return operatorNamed(field, operator)?.words ?? ''
}
