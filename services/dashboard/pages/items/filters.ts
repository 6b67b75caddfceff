import type { Index } from '../../../../client/src/resources.ts'
import { isId } from '../../../../shared/domain/id.ts'
import { parseDate } from '../../../../shared/domain/text/date.ts'

/** How the values of a field are compared. */
export type FilterKind = 'text' | 'number' | 'date' | 'flag' | 'activated' | 'tags' | 'ids'

/** Something that the items of a list can be filtered by. */
export type FilterField = {
  /** Its parameter in the query of the API: `tagged`, or `index.title`. */
  name: string
  label: string
  kind: FilterKind
  /** Why it cannot be used now. */
  problem?: string
  /** Where the values of an index are in the data. */
  pointer?: string
}

/** One condition: the parameter `field` has a value that begins with the prefix of `operator`. */
export type Filter = { field: string; operator: string; value: string }

/** `prefix` stands before the value in the query; `words` between the field and the value for a reader. */
export type Operator = { name: string; prefix: string; words: string }

const is: Operator = { name: 'is', prefix: '', words: 'is' }
const isOneOf: Operator = { name: 'in', prefix: 'in:', words: 'is one of' }

/** The operators that the API has for values of a kind, the usual one first. The one without a prefix reads `eq:` too. */
export const operatorsOf: Readonly<Record<FilterKind, readonly [Operator, ...Operator[]]>> = {
  text: [
    { name: 'contains', prefix: '', words: 'contains' },
    { name: 'is', prefix: 'eq:', words: 'is' },
    { name: 'starts', prefix: 'starts:', words: 'begins with' },
    isOneOf,
  ],
  number: [
    is,
    { name: 'gte', prefix: 'gte:', words: 'at least' },
    { name: 'lte', prefix: 'lte:', words: 'at most' },
    { name: 'gt', prefix: 'gt:', words: 'more than' },
    { name: 'lt', prefix: 'lt:', words: 'less than' },
    isOneOf,
  ],
  date: [
    is,
    { name: 'after', prefix: 'after:', words: 'from' },
    { name: 'before', prefix: 'before:', words: 'until' },
    isOneOf,
  ],
  flag: [is],
  activated: [is],
  tags: [{ name: 'in', prefix: '', words: 'one of' }],
  ids: [is, isOneOf],
}

/** What the items of a list with these indexes can be filtered by; what cannot be used says why. */
export function filterFields(indexes: readonly Index[]): FilterField[] {
  const alias = indexes.find((index) => index.alias)
  return [
    ...(alias ? [{ name: 'alias', label: 'alias', kind: 'text' as const, ...unless(buildProblem(alias)) }] : []),
    ...indexes.filter(({ guard }) => !guard).map(indexField),
    { name: 'tagged', label: 'tags', kind: 'tags' },
    { name: 'readonly', label: 'readonly', kind: 'flag' },
    { name: 'activated', label: 'activated', kind: 'activated' },
    { name: 'identityId', label: 'owner', kind: 'ids' },
  ]
}

function indexField(index: Index): FilterField {
  const { pathName, pointer, valueType, filtering } = index
  const kind = valueType === 'string' ? 'text' : valueType
  const problem = filtering ? buildProblem(index) : 'its index does not filter'
  return { name: `index.${pathName}`, label: pathName, kind, pointer, ...unless(problem) }
}

/** Why an index cannot be asked now. */
export function buildProblem({ activated, buildStatus }: Index): string | undefined {
  if (!activated) return 'its index is switched off'
  return { ready: undefined, building: 'its index is being built', failed: 'its index could not be built' }[buildStatus]
}

const unless = (problem: string | undefined) => (problem === undefined ? {} : { problem })

/** The condition that a value of the query says. */
export function readFilter({ name, kind }: FilterField, source: string): Filter {
  const operators = operatorsOf[kind]
  const [usual] = operators
  const found = operators.find(({ prefix }) => prefix !== '' && source.startsWith(prefix))
  if (found) return { field: name, operator: found.name, value: source.slice(found.prefix.length) }
  const isPlain = usual.name === 'is' && source.startsWith('eq:')
  return { field: name, operator: usual.name, value: isPlain ? source.slice('eq:'.length) : source }
}

/** The value of the query that says a condition. */
export function printFilter({ kind }: FilterField, { operator, value }: Filter): string {
  return (operatorsOf[kind].find(({ name }) => name === operator)?.prefix ?? '') + value
}

/** What is wrong with a condition, as the end of a sentence about it; null: nothing. */
export function filterProblem({ kind, problem }: FilterField, { operator, value }: Filter): string | null {
  if (problem !== undefined) return `cannot be used: ${problem}`
  if (value === '') return 'needs a value'
  if (kind === 'text') return textProblem(operator, value)
  const all = operator === 'in' ? value.split(',') : [value]
  if (kind === 'number') return all.every(isNumber) ? null : 'must be a number, such as 4 or 2.5'
  if (kind === 'date') return all.every(isDate) ? null : 'must be a date such as 2026-03-01, or with T10:00Z'
  if (kind === 'flag') return flags.has(value) ? null : 'must be true or false'
  if (kind === 'activated') return flags.has(value) || value === 'any' ? null : 'must be true, false or any'
  if (kind === 'ids') return value.split(',').every(isId) ? null : 'must be the id of an identity'
  return value.split(',').every((tag) => tag.trim() !== '') ? null : 'has an empty tag'
}

/** As the API reads numbers. */
const isNumber = (text: string) => /^[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?$/i.test(text)
const isDate = (text: string) => parseDate(text) !== null
const flags = new Set(['true', 'false', '1', '0'])

function textProblem(operator: string, value: string): string | null {
  const prefix = operator === 'contains' && /^(eq|starts|in):/.exec(value)?.[0]
  return prefix ? `cannot contain a text that begins with "${prefix}": ask whether it begins with it` : null
}

/** What stands between the field and the value of a condition. */
export function wordsOf({ kind }: FilterField, { operator }: Filter): string {
  return operatorsOf[kind].find(({ name }) => name === operator)?.words ?? ''
}
