import {
  isList,
  isValueObject,
  kindNames,
  kindOf,
  objectOf,
  type Value,
  type ValueObject,
} from '../expression/value.ts'
import { isSearchOption } from '../item/filters.ts'
import { isGroup } from '../item/questions/where.ts'

/** Whether a value is a filter, to be read as in the parameter `where`. Filters are written in the document, so no input can be one. */
export type Filters = Pick<WeakSet<object>, 'has'>

/**
 * The conditions of a page. The value of an expression is a literal, even if it is a text that begins like a filter. A `{filter: …}` of the
 * document is read like a filter in the parameter `where`.
 * @param fail throws, with the place of the error
 */
export function conditionsOf(
  conditions: Iterable<readonly [string, Value]>,
  { filters, fail, path = '' }: { filters: Filters; fail: Fail; path?: string },
): ValueObject {
  const reading = { filters, fail }
  return objectOf(
    [...conditions].map(
      ([name, value]) => [name, conditionOf(reading, { name, value, path: `${path}${name}` })] as const,
    ),
  )
}

type Fail = (path: string, message: string) => never
type Reading = { filters: Filters; fail: Fail }
type Condition = { name: string; value: Value; path: string }

function conditionOf(reading: Reading, { name, value, path }: Condition): Value {
  if (isValueObject(value) && reading.filters.has(value)) return value.filter ?? null
  if (!isGroup(name)) return literals(reading, { name, value, path })
  if (name === 'not') return memberOf(reading, value, path)
  if (isList(value)) return value.map((one, n) => memberOf(reading, one, `${path}.${n}`))
  return reading.fail(path, `must be a list of objects of conditions, not ${kindNames[kindOf(value)]}`)
}

function memberOf({ filters, fail }: Reading, value: Value, path: string): Value {
  if (isValueObject(value)) return conditionsOf(Object.entries(value), { filters, fail, path: `${path}.` })
  return fail(path, `must be an object of conditions, not ${kindNames[kindOf(value)]}`)
}

/** A list of values: all must hold. */
function literals(reading: Reading, { name, value, path }: Condition): Value {
  if (!isList(value)) return literalOf(reading, { name, value, path })
  return value.map((one, n) =>
    isValueObject(one) && reading.filters.has(one)
      ? (one.filter ?? null)
      : literalOf(reading, { name, value: one, path: `${path}.${n}` }),
  )
}

function literalOf({ fail }: Reading, { name, value, path }: Condition): Value {
  if (typeof value === 'string') return textOf(name, value) ?? fail(path, 'must be one value: it would be a filter')
  if (!isList(value) && !isValueObject(value)) return value
  return fail(
    path,
    `must be a text, a number, true, false or null, not ${kindNames[kindOf(value)]}; a filter is {filter: …}`,
  )
}

/** A filter that only this text passes; null: there is no such filter. */
function textOf(name: string, text: string): string | null {
  // A search: only a prefix at the beginning could be read as anything but words.
  if (name === 'search') return ` ${text}`
  if (isSearchOption(name)) return text
  if (name === 'tagged') return text.includes(',') || text.includes(':') || text.trim() === 'null' ? null : text
  return (name === 'identityId' || name === 'id') && text.includes(',') ? null : `eq:${text}`
}
