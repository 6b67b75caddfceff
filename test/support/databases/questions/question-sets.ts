import { type ItemSet, visibleItems } from '#shared/data/item-pages/item-set.ts'
import { allKeys, type KeySet } from '#shared/domain/item/questions/key-filter.ts'
import type { Question } from '#shared/domain/item/questions/question.ts'
import { type SearchOptions, searchTerms } from '#shared/domain/search/query.ts'
import { all } from './item-sets.ts'

// Filters on the items that `addManyItems` writes, each with the tag `a`, and with entries in an index that has the list's id.

export function asking(listId: string, ...questions: Question[]): ItemSet {
  return { ...visibleItems(listId, all, null), questions }
}

const value = (indexId: string, keys: KeySet): Question => ({ kind: 'value', indexId, keys, texts: [] })
const isKey = (indexId: string, key: string) => value(indexId, { kind: 'any-of', keys: [key] })
const tagged: Question = { kind: 'tagged', anyOf: ['a'] }
const not = (of: Question): Question => ({ kind: 'not', of })
const time = (field: 'createdAt' | 'updatedAt', max: number): Question => ({
  kind: 'number',
  field,
  set: { kind: 'range', min: null, max },
})

/** Items with one of these words, and items without any. */
export const havingWords = (termsId: number, typed: readonly string[], options: SearchOptions = {}): Question => ({
  kind: 'words',
  termsId,
  terms: searchTerms(typed, options),
})
export const notHavingWords = (termsId: number, anyOf: readonly string[]) => not(havingWords(termsId, anyOf))

/** Filters that indexes serve in order of creation. */
export const servedInOrder: [claim: string, question: (listId: string) => Question][] = [
  ['either of two values', (id) => ({ kind: 'or', of: [isKey(id, 'even'), isKey(id, 'odd')] })],
  ['a value or a tag', (id) => ({ kind: 'or', of: [isKey(id, 'even'), tagged] })],
  [
    'a value without a tag, or another value',
    (id) => ({
      kind: 'or',
      of: [{ kind: 'and', of: [isKey(id, 'odd'), not({ kind: 'tagged', anyOf: ['b'] })] }, isKey(id, 'even')],
    }),
  ],
  ['a time of creation', () => time('createdAt', 9_000)],
]

/** Filters that an index serves in the order of its values. */
export const servedByValue: [claim: string, question: (listId: string) => Question][] = [
  [
    'either of two ranges',
    (id) => ({
      kind: 'or',
      of: [value(id, { kind: 'range', min: 'e', end: 'f' }), value(id, { kind: 'range', min: 'o', end: null })],
    }),
  ],
]

/** Filters that no index serves, and that no item matches. */
export const unserved: [claim: string, question: (listId: string) => Question][] = [
  ['the contrary of a tag', () => not(tagged)],
  ['the contrary of any value', (id) => not(value(id, allKeys))],
  [
    'a part of a text or a size',
    (id) => ({
      kind: 'or',
      of: [
        { kind: 'value', indexId: id, keys: allKeys, texts: [{ kind: 'contains', text: 'nowhere' }] },
        { kind: 'number', field: 'size', set: { kind: 'range', min: 1_000_000, max: null } },
      ],
    }),
  ],
  ['a version', () => ({ kind: 'version', filter: { kind: 'equals', text: '9.9.9' } })],
  [
    'either of two values and not the tag',
    (id) => ({
      kind: 'or',
      of: ['even', 'odd'].map((key): Question => ({ kind: 'and', of: [isKey(id, key), not(tagged)] })),
    }),
  ],
]
