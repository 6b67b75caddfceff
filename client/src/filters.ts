import { type Query, textOf } from './transport.ts'

/** A condition on a value, created by one of the functions below. */
export type Operator<T> = {
  readonly filter: string
  /** The form for filters without `eq:` or `in:`, such as `tagged`; null: not supported there; absent: the same form. */
  readonly plain?: string | null
  readonly of?: T
}

/** A value that must be equal, or a condition. */
export type Filter<T> = T | Operator<T>

type Comparable = string | number | boolean | Date

const operator = <T>(prefix: string, value: Comparable, plain: string | null = null): Operator<T> => ({
  filter: prefix + textOf(value),
  plain,
})

/** A text is a time, as ISO 8601. */
type Ordered<T> = T extends number ? number : Date

/** Numbers greater than this one, or times later than this one. */
export const gt = <T extends number | Date | string>(value: T): Operator<Ordered<T>> => operator('gt:', value)
/** Numbers greater than or equal to this one, or times at or later than this one. */
export const gte = <T extends number | Date | string>(value: T): Operator<Ordered<T>> => operator('gte:', value)
/** Numbers less than this one, or times earlier than this one. */
export const lt = <T extends number | Date | string>(value: T): Operator<Ordered<T>> => operator('lt:', value)
/** Numbers less than or equal to this one, or times at or earlier than this one. */
export const lte = <T extends number | Date | string>(value: T): Operator<Ordered<T>> => operator('lte:', value)
/** Times up to and including this one. */
export const before = (time: Date | string): Operator<Date> => operator('before:', time)
/** Times from this one on, inclusive. */
export const after = (time: Date | string): Operator<Date> => operator('after:', time)
/** Times of this day in UTC: a text such as `2026-12-24`, or the day of a time. */
export const on = (day: Date | string): Operator<Date> =>
  operator('on:', typeof day === 'string' ? day : day.toISOString().slice(0, '2026-12-24'.length))
/** The whole text, ignoring case, or exactly this time or number: the same as the value itself. */
export const eq = <T extends Comparable>(value: T): Operator<T> =>
  operator(typeof value === 'number' || typeof value === 'boolean' ? '' : 'eq:', value, textOf(value))
/** Texts that begin with this, ignoring case. */
export const starts = (text: string): Operator<string> => operator('starts:', text)

/** Items for which a condition does not hold, including those without a value; `not(null)`: items with any value. */
export const not = <T extends Comparable | null>(condition: Filter<T>): Operator<T> => {
  const plain = textOfValue(condition as ItemCondition, true)
  return { filter: `not:${textOfValue(condition as ItemCondition)}`, plain: plain && `not:${plain}` }
}

/** Texts with this part, ignoring case; slow on large lists. @throws RangeError for a text that the API reads as a condition */
export function contains(text: string): Operator<string> {
  if (/^(eq|starts|in|not):|^null$/.test(text)) throw new RangeError(`contains: the API reads "${text}" as a condition`)
  return operator('', text)
}

/** Any of these texts, ignoring case, numbers or times. @throws RangeError for a text with a comma, which separates them */
export function inList<T extends string | number | Date>(values: readonly T[]): Operator<T> {
  const text = values.find((one) => typeof one === 'string' && one.includes(','))
  if (text !== undefined) throw new RangeError(`inList: "${text}" has a comma; use eq for it`)
  const plain = values.map(textOf).join()
  return operator('in:', plain, plain)
}

/** The filters of an item page that are not indexes; an index with such a name is filtered as `index.<name>`. */
export const itemFilters: readonly string[] = [
  'id',
  'alias',
  'readonly',
  'activated',
  'identityId',
  'mine',
  'tagged',
  'createdAt',
  'updatedAt',
  'version',
  'size',
  'search',
  'prefix',
  'match',
]
/** Filters that always compare the whole value and do not accept `eq:`. Of the filters of resources, only `tagged` accepts operators. */
export const exactItemFilters: readonly string[] = ['activated', 'tagged', 'search', 'prefix', 'match']
const exactOfResources =
  /^((list|item|event|webhook|flow)Id|status|trigger|responseStatus|error|valueType|defaultOrderDirection|tagged)$/

type Condition = Filter<Comparable>
/** `null`: without a value. */
type ItemCondition = Condition | null
/** By name: a condition, or several that must all hold. */
export type Conditions<C = Condition> = Record<string, C | readonly C[]>
/** Conditions on items, and their combinations. */
export type ItemConditions = {
  [name: string]: ItemCondition | readonly ItemCondition[] | readonly ItemConditions[] | ItemConditions
}

/** Conditions on fields of a resource as query parameters. */
export function whereQuery(where: Conditions): Query {
  return mapConditions(
    where,
    (name) => name,
    (name) => exactOfResources.test(name),
  )
}

/**
 * Conditions on items as query parameters. Conditions on indexes get a prefix to avoid conflicts with other parameters. `or`, `and` and
 * `not` are sent as JSON text.
 */
export function itemsWhereQuery(where: ItemConditions): Query {
  const { or, and, not: contrary, ...conditions } = where
  const combined = Object.entries({ or, and, not: contrary }).filter(([, value]) => value !== undefined)
  const text = combined.length > 0 ? { where: JSON.stringify(questionOf(Object.fromEntries(combined))) } : {}
  return { ...mapConditions(conditions as Conditions<ItemCondition>, itemName, isExact, true), ...text }
}

const isExact = (name: string) => exactItemFilters.includes(name)
const itemName = (name: string) => (itemFilters.includes(name) || name.startsWith('index.') ? name : `index.${name}`)

function questionOf(where: unknown): object {
  if (typeof where !== 'object' || where === null || isList(where) || 'filter' in where) {
    throw new TypeError('where: "or" and "and" need an array of objects, and "not" needs an object')
  }
  const parts = Object.entries(where).map(([name, value]) => {
    if (name === 'not') return { not: questionOf(value) }
    if (name === 'or' || name === 'and') return { [name]: isList(value) ? value.map(questionOf) : questionOf(value) }
    return mapConditions({ [name]: value }, itemName, isExact, true)
  })
  return Object.assign({}, ...parts)
}

function mapConditions<C extends ItemCondition>(
  where: Conditions<C>,
  nameOf: (name: string) => string,
  isExact: (name: string) => boolean,
  canBeNull = false,
): Query {
  return Object.fromEntries(
    Object.entries(where).map(([name, filter]) => {
      const texts = [filter].flat().map((one) => textOfCondition(name, one as C, isExact(name), canBeNull))
      return [nameOf(name), isList(filter) ? texts : texts[0]]
    }),
  )
}

/** @throws TypeError for a value that is not a condition (which would match every row), or a text that would be read as a condition */
function textOfCondition(name: string, condition: ItemCondition, isExact: boolean, canBeNull: boolean): string {
  if (condition === undefined || (condition === null && !canBeNull) || (isExact && condition === '')) {
    throw new TypeError(`where.${name} is ${condition === '' ? 'empty' : condition}: leave it out for no condition`)
  }
  const text = textOfValue(condition, isExact)
  if (text !== null) return text
  throw new TypeError(`where.${name} compares whole values: it supports eq, inList and not`)
}

/** Null: a filter that compares whole values has no such condition. */
function textOfValue(condition: ItemCondition, isExact = false): string | null {
  if (condition === null) return 'null'
  if (typeof condition === 'object' && 'filter' in condition) {
    const { filter, plain = filter } = condition
    return isExact ? plain : filter
  }
  return isExact ? textOf(condition) : eq(condition).filter
}

const isList = (value: unknown): value is readonly unknown[] => Array.isArray(value)
