import type { Index, Item } from '../types/resources.ts'

// biome-ignore lint/suspicious/noExplicitAny: data are what the caller says they are
type AnyItem = Item<any>
/** By path name. */
export type IndexTable = ReadonlyMap<string, Pick<Index, 'pointer' | 'valueType' | 'alias' | 'defaultOrderDirection'>>

/** Whether a condition holds: 1: yes; 0: no; between: only the service can decide. */
type Verdict = number
const unknown = 0.5

/**
 * Whether an item passes `where`, as far as that is sure without the service: of flags and ids, of indexes on numbers, and of those on
 * texts whose lower case is the same everywhere. The service has accepted the conditions. Undefined: it is not sure.
 */
export function judge(where: object, item: AnyItem, indexes: IndexTable): boolean | undefined {
  const verdicts = Object.entries(where).flatMap(([name, condition]) => {
    const value = valueIn(item, name, indexes)
    return [condition]
      .flat()
      .map((one) => (value ? holds(one?.filter ?? (one === null ? 'null' : `eq:${one}`), value) : unknown))
  })
  const verdict = Math.min(1, ...verdicts)
  return verdict === unknown ? undefined : verdict > 0
}

/** The sort key of an item; undefined: unknown to the client. */
export function orderKey(item: AnyItem, order: string, indexes: IndexTable): number | undefined {
  if (/^(cre|upd)atedAt$/.test(order)) return Date.parse(item[order as 'createdAt'])
  const value = valueIn(item, order, indexes)?.[0]
  return typeof value === 'number' ? value : undefined
}

/** Names of filters that are not fields of an item. An index may have such a name, too. */
const words = /^(alias|identityId|mine|tagged|search|prefix|match|or|and|not)$/

/** The value of a condition, and whether conditions compare parts of it; undefined: unknown to the client. */
function valueIn(item: AnyItem, name: string, indexes: IndexTable): [value: unknown, isText?: boolean] | undefined {
  if (/^(id|readonly|activated)$/.test(name)) return [`${item[name as 'id']}`]
  const index = !(name in item || words.test(name)) && indexes.get(name.replace('index.', ''))
  if (!index || index.alias || index.valueType === 'date' || index.pointer.includes('~')) return undefined
  let value = item.data
  for (const step of index.pointer.split('/').slice(1))
    value = Object.hasOwn(Object(value), step) ? value[step] : undefined
  // Of an array one element has to pass, and what is of another type is no value.
  return value === undefined || typeof value === index.valueType ? [value, index.valueType === 'string'] : undefined
}

type Comparison = (one: never, other: never) => boolean
const eq: Comparison = (one, other) => one === other
const comparisons: Record<string, Comparison> = {
  eq,
  in: eq,
  gt: (one, other) => one > other,
  gte: (one, other) => one >= other,
  lt: (one, other) => one < other,
  lte: (one, other) => one <= other,
}

function holds(condition: string, value: [value: unknown, isText?: boolean]): Verdict {
  const [given, isText] = value
  const [, operator = isText ? 'part' : 'eq', operand = ''] = /^(?:(\w+):)?(.*)$/s.exec(condition) ?? []
  if (operator === 'not') return 1 - holds(operand, value)
  if (given === undefined || condition === 'null') return +((given === undefined) === (condition === 'null'))
  const compare = comparisons[operator]
  // All of ASCII, as far as an index reads.
  if (!compare || /[^\0-\x7f]|.{1024}/s.test(`${given}${operand}`)) return unknown
  const read = (one: unknown) => (typeof given === 'number' ? Number(one) : `${one}`.toLowerCase()) as never
  return +(operator === 'in' ? operand.split(',') : [operand]).some((one) => compare(read(given), read(one)))
}
