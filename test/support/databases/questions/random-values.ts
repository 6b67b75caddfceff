import type { ItemSet } from '#shared/data/item-pages/item-set.ts'
import type { Committer } from '#shared/data/items/commit/commit.ts'
import type { Direction } from '#shared/data/pages/page.ts'
import { indexValues, keysAt } from '#shared/domain/item/index-value.ts'
import type { Item } from '#shared/domain/item/item.ts'
import { allKeyFilters, passesKeyFilter, readKeyFilter } from '#shared/domain/item/questions/key-filter.ts'
import type { ValueFilter } from '#shared/domain/item/questions/question.ts'
import type { ValueType } from '#shared/domain/list/index-fields.ts'
import { newIndex } from '#shared/domain/list/index-settings.ts'
import { itemWords } from '#shared/domain/search/item-words.ts'
import { caseFold } from '#shared/domain/text/case-fold.ts'
import { itemChange, testIdAt, testItem } from '../contents/rows.ts'

// Items with random values of each type, and random pages of them, with the expected items and their order in JavaScript.

export type At = { accountId: string; listId: string }

const long = 'a'.repeat(300)
const words = 'Soup SOUP ſoup Straße STRASSE Éclair e\u0301clair pie Pi pïe 😀 \uffee'.split(' ')
const titles = [...words, '', ' ', 'a\u0000b', 'a\u0001b', '\u{10ffff}z', `${long}x`, `${long}Y`, 'a'.repeat(256)]
const numbers = [-1e300, -5, -1.5, 0, 0.1, 1, 2, 3, 3, 3, 4, 1e21, 2 ** 53, 5e-324, Number.POSITIVE_INFINITY]
const dates = ['2026-03-01', '2026-03-01T00:00:00Z', '1969-07-20', '2026-03-01T10:00:00+01:00', '+010000-01-01']
const noValue = [undefined, null, true, { a: 1 }]

/** More elements than an index has: the last one is not in it. */
const many = Array.from({ length: 101 }, (_, n) => n)

/** The values of each index, and filters on it with their meaning as JavaScript. */
type Kind = {
  valueType: ValueType
  /** Whether the index has elements of arrays. */
  arrays?: true
  values: readonly unknown[]
  filters: readonly [source: string, passes: (value: never) => boolean][]
}

const text = (passes: (folded: string) => boolean) => (value: string) => passes(caseFold(value))
const time = (date: string) => Date.parse(date)
const kinds: Record<'title' | 'n' | 'at' | 'labels' | 'scores', Kind> = {
  title: {
    valueType: 'string',
    values: [...titles, ...noValue, 5],
    filters: [
      ['ou', text((value) => value.includes('ou'))],
      ['É', text((value) => value.includes('é'))],
      ['eq:soup', text((value) => value === 'soup')],
      [`eq:${long}y`, text((value) => value === `${long}y`)],
      ['in:strasse,pie,', text((value) => ['strasse', 'pie', ''].includes(value))],
      ['in:1,2,3,4,5,6,7,8,pi', text((value) => value === 'pi')],
      ['starts:s', text((value) => value.startsWith('s'))],
      ['starts:', text(() => true)],
      ['starts:😀', text((value) => value.startsWith('😀'))],
      ['starts:\u{10ffff}', text((value) => value.startsWith('\u{10ffff}'))],
      [`starts:${long}`, text((value) => value.startsWith(long))],
      ['starts:a\u0001', text((value) => value.startsWith('a\u0001'))],
    ],
  },
  n: {
    valueType: 'number',
    values: [...numbers, ...noValue, '3'],
    filters: [
      ['3', (value: number) => value === 3],
      ['eq:-0', (value: number) => value === 0],
      ['lt:0', (value: number) => value < 0],
      ['lte:-1.5', (value: number) => value <= -1.5],
      ['gt:3', (value: number) => value > 3],
      ['gte:1e20', (value: number) => value >= 1e20],
      ['in:3,-1.5,7', (value: number) => value === 3 || value === -1.5],
    ],
  },
  at: {
    valueType: 'date',
    values: [...dates, ...noValue, 'tomorrow', 1_772_360_430_000],
    filters: [
      ['2026-03-01', (value: string) => time(value) === time('2026-03-01')],
      ['eq:2026-03-01T09:00Z', (value: string) => time(value) === time('2026-03-01T09:00Z')],
      ['before:2026-03-01', (value: string) => time(value) <= time('2026-03-01')],
      [
        'in:1969-07-20,2026-03-01T09:00Z',
        (value: string) => ['1969-07-20', '2026-03-01T09:00Z'].some((date) => time(date) === time(value)),
      ],
      ['after:2026-03-01', (value: string) => time(value) >= time('2026-03-01')],
    ],
  },
  labels: {
    valueType: 'string',
    arrays: true,
    values: [
      ...[['soup', 'Pie', 'SOUP'], ['pie'], [], ['strasse', 5, null, ['soup'], '😀'], [`${long}x`, `${long}Y`, '']],
      ...['soup', null, { a: 1 }, [null], many.map(String), ['a\u0000b', 'a']],
    ],
    filters: [
      ['ou', text((value) => value.includes('ou'))],
      ['eq:soup', text((value) => value === 'soup')],
      ['eq:99', text((value) => value === '99')],
      ['eq:100', text((value) => value === '100')],
      [`eq:${long}y`, text((value) => value === `${long}y`)],
      ['in:soup,pie,', text((value) => ['soup', 'pie', ''].includes(value))],
      ['in:1,2,3,4,5,pi,pie', text((value) => ['1', '2', '3', '4', '5', 'pie'].includes(value))],
      ['starts:p', text((value) => value.startsWith('p'))],
      ['starts:', text(() => true)],
    ],
  },
  scores: {
    valueType: 'number',
    arrays: true,
    values: [[3, 1, 2, 3], [5, -1], [7], [], 3, null, ['3'], [1e300, 0.5], many],
    filters: [
      ['3', (value: number) => value === 3],
      ['lt:0', (value: number) => value < 0],
      ['gt:3', (value: number) => value > 3],
      ['gte:1e20', (value: number) => value >= 1e20],
      ['in:3,-1,7', (value: number) => [3, -1, 7].includes(value)],
    ],
  },
}

export type Name = keyof typeof kinds
export const names = Object.keys(kinds) as Name[]

/** The indexes of a list, all with the id of the list in their ids. */
export const indexesOf = ({ accountId, listId }: At) =>
  names.map((name) =>
    newIndex(
      { pathName: name, pointer: `/${name}`, valueType: kinds[name].valueType, searching: name === 'title' },
      { id: valuesId(listId, name), accountId, listId, at: 0 },
    ),
  )
/** Sources of filters on an index. */
export const sourcesOf = (name: Name): string[] => kinds[name].filters.map(([source]) => source)
/** Whether an index has elements of arrays. */
export const hasArrays = (name: Name): boolean => kinds[name].arrays === true

export const valuesId = (listId: string, name: Name) => `${name}-${listId.slice(-29)}`

export function oneOf<T>(random: () => number, from: readonly T[]): T {
  return from[Math.floor(random() * from.length)] as T
}

/** The values of an item in an index that are of its type: one, or the first hundred elements of an array. */
function valuesIn(item: Item, name: Name): (string | number)[] {
  const value: unknown = JSON.parse(item.data)[name]
  const { valueType, arrays } = kinds[name]
  const isOfType = (one: unknown): one is string | number => {
    if (valueType === 'number') return typeof one === 'number'
    return typeof one === 'string' && (valueType === 'string' || !Number.isNaN(time(one)))
  }
  return (arrays ? [value].flat() : [value]).filter(isOfType).slice(0, 100)
}

/** The value by which an item is ordered; null: it has no value. */
function leastIn(item: Item, name: Name): string | number | null {
  return valuesIn(item, name).toSorted((one, other) => compareValues(name, one, other))[0] ?? null
}

/** Below 0 when the first value sorts first: numbers by size, text by the code points of its first 256 characters. */
function compareValues(name: Name, one: string | number, other: string | number): number {
  if (kinds[name].valueType === 'number') return Math.sign(storable(Number(one)) - storable(Number(other)))
  if (kinds[name].valueType === 'date') return time(String(one)) - time(String(other))
  const [left, right] = [one, other].map((value) => Array.from(caseFold(String(value))).slice(0, 256))
  for (let n = 0; n < 256; n++) {
    const [a = -1, b = -1] = [left?.[n]?.codePointAt(0), right?.[n]?.codePointAt(0)]
    if (a !== b) return a - b
  }
  return 0
}

const storable = (value: number) => Math.min(value, Number.MAX_VALUE)

export function compareItems(order: Name | 'createdAt', direction: Direction) {
  const sign = direction === 'asc' ? 1 : -1
  return (a: Item, b: Item): number => {
    const byId = sign * (a.id < b.id ? -1 : 1)
    if (order === 'createdAt') return sign * (a.createdAt - b.createdAt) || byId
    const [left, right] = [leastIn(a, order), leastIn(b, order)]
    if (left === null || right === null) return Number(left === null) - Number(right === null) || byId
    return sign * compareValues(order, left, right) || byId
  }
}

export function makeItem(at: At, random: () => number): Item {
  const data = Object.fromEntries(names.map((name) => [name, oneOf(random, kinds[name].values)]))
  // JSON has no infinity: a number too big for a double is parsed to it.
  const text = JSON.stringify(data, (_key, value) => (value === Number.POSITIVE_INFINITY ? 'huge' : value))
  const createdAt = Math.floor(random() * 8)
  return {
    ...testItem(at, testIdAt(createdAt), 1),
    data: text.replace('"huge"', '1e999'),
    createdAt,
    updatedAt: 10 + Math.floor(random() * 8),
    size: Math.floor(random() * 5),
    version: `1.${Math.floor(random() * 3)}.0`,
    readonly: random() < 0.3,
    activated: random() < 0.7,
    tags: ['red', 'green'].filter(() => random() < 0.4),
  }
}

export const entriesOf = (item: Item) => indexValues(indexesOf(item), JSON.parse(item.data)).values

/** The key of the stored words of a list's titles. */
export const termsIdOfList = ({ listId }: Pick<At, 'listId'>) => Number(listId.slice(-12))

function termsOf(at: At, item: Item) {
  return { ...itemWords(indexesOf(at), JSON.parse(item.data)), termsId: termsIdOfList(at) }
}

export async function fill(committer: Committer, at: At, count: number, random: () => number): Promise<Item[]> {
  const items = Array.from({ length: count }, () => makeItem(at, random))
  await Promise.all(
    items.map((after) =>
      committer.commit(
        itemChange(at, { itemId: after.id, after, indexValues: entriesOf(after), terms: termsOf(at, after) }),
      ),
    ),
  )
  return items
}

export type RandomFilter = { filters: ValueFilter[]; passes: (item: Item) => boolean }

/** One filter on an index, or two that must both match, each perhaps with `not:`. */
export function randomFilter(listId: string, name: Name, random: () => number): RandomFilter {
  const chosen = Array.from({ length: random() < 0.3 ? 2 : 1 }, () => randomSource(name, random))
  const read = chosen.map(({ source }) => {
    const filter = readKeyFilter(kinds[name].valueType, source)
    if ('error' in filter) throw new Error(`${source}: ${filter.error}`)
    return filter
  })
  const { arrays, valueType } = kinds[name]
  // Each of two filters may match a different element.
  const filters = arrays ? read : allKeyFilters(read)
  const shape = { pointer: `/${name}`, valueType, alias: false }
  const passes = (item: Item) => {
    const values = valuesIn(item, name)
    const expected = chosen.every((one) => one.passes(values))
    const entries = keysAt(shape, JSON.parse(item.data))
    const passed = filters.every((filter) => passesKeyFilter(filter, entries))
    if (passed !== expected)
      throw new Error(`In memory ${chosen.map(({ source }) => source)} comes out otherwise: ${values}`)
    return expected
  }
  const indexId = valuesId(listId, name)
  return { filters: filters.map((filter) => ({ indexId, ...filter, ...(arrays && { arrays }) })), passes }
}

function randomSource(name: Name, random: () => number) {
  const [source, test] = oneOf(random, kinds[name].filters)
  const whole = random() < 0.15 ? { source: 'null', holds: isNull } : { source, holds: isA(test) }
  const isNot = random() < 0.3
  return {
    source: isNot ? `not:${whole.source}` : whole.source,
    passes: (values: Values) => whole.holds(values) !== isNot,
  }
}

type Values = readonly (string | number)[]
const isNull = (values: Values) => values.length === 0
const isA = (test: (value: never) => boolean) => (values: Values) => values.some((value) => test(value as never))

export type RandomPage = {
  set: ItemSet
  passes: (item: Item) => boolean
  order: Name | 'createdAt'
  direction: Direction
}

export function randomPage({ listId }: At, random: () => number): RandomPage {
  const filters = names.filter(() => random() < 0.4).map((name) => randomFilter(listId, name, random))
  const [activated = null, readonly = null] = [
    oneOf(random, [null, true, false]),
    oneOf(random, [null, null, true, false]),
  ]
  const tagged = random() < 0.2 ? [['red']] : []
  const values = filters.flatMap((one) => one.filters)
  return {
    set: { listId, visible: { kind: 'all' }, activated, readonly, tagged, ownerIds: null, values },
    passes: (item) =>
      (activated === null || item.activated === activated) &&
      (readonly === null || item.readonly === readonly) &&
      (tagged.length === 0 || item.tags.includes('red')) &&
      filters.every(({ passes }) => passes(item)),
    order: oneOf(random, [...names, ...names, 'createdAt']),
    direction: oneOf(random, ['asc', 'desc']),
  }
}
