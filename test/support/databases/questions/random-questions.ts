import type { Item } from '#shared/domain/item/item.ts'
import { type IntegerSet, integersOf, readNumberFilter } from '#shared/domain/item/questions/number-filter.ts'
import type { Leaf, Question } from '#shared/domain/item/questions/question.ts'
import { type SearchOptions, searchTerms } from '#shared/domain/search/query.ts'
import { type At, names, oneOf, type RandomPage, randomFilter, randomPage, termsIdOfList } from './random-values.ts'

// Random filters on the items of `random-values.ts`, each with its meaning in JavaScript.

export type RandomQuestion = { question: Question; passes: (item: Item) => boolean }

/** A page with one or two questions in addition to its filters. */
export function randomPageWithQuestions(at: At, random: () => number): RandomPage {
  const page = randomPage(at, random)
  const asked = Array.from({ length: random() < 0.3 ? 2 : 1 }, () => randomQuestion(at.listId, random))
  const values = random() < 0.6 ? [] : page.set.values
  const passesPage = values.length > 0 ? page.passes : randomFlags(page)
  return {
    ...page,
    set: { ...page.set, values, questions: asked.map(({ question }) => question) },
    passes: (item) => passesPage(item) && asked.every(({ passes }) => passes(item)),
  }
}

function randomFlags({ set: { activated, readonly, tagged } }: RandomPage): (item: Item) => boolean {
  return (item) =>
    (activated === null || item.activated === activated) &&
    (readonly === null || item.readonly === readonly) &&
    (tagged.length === 0 || item.tags.includes('red'))
}

function randomQuestion(listId: string, random: () => number, levels = 3): RandomQuestion {
  const roll = random()
  if (levels === 0 || roll < 0.3) return randomLeaf(listId, random)
  if (roll < 0.45) {
    const { question, passes } = randomQuestion(listId, random, levels - 1)
    return { question: { kind: 'not', of: question }, passes: (item) => !passes(item) }
  }
  const branches = Array.from({ length: 1 + Math.floor(random() * 3) }, () =>
    randomQuestion(listId, random, levels - 1),
  )
  const of = branches.map(({ question }) => question)
  if (roll < 0.8) return { question: { kind: 'or', of }, passes: (item) => branches.some(({ passes }) => passes(item)) }
  return { question: { kind: 'and', of }, passes: (item) => branches.every(({ passes }) => passes(item)) }
}

function randomLeaf(listId: string, random: () => number): RandomQuestion {
  const roll = random()
  if (roll < 0.3) return oneOf(random, ofFields)
  if (roll < 0.45) return randomWords(listId, random)
  const { filters, passes } = randomFilter(listId, oneOf(random, names), random)
  const leaves = filters.map((filter): Leaf => ({ kind: 'value', ...filter }))
  const [only, ...others] = leaves
  return { question: only && others.length === 0 ? only : { kind: 'and', of: leaves }, passes }
}

/** Words of a search as typed, and the titles that contain them. */
const titlesWith: [typed: string[], options: SearchOptions, titles: string[]][] = [
  [['soup'], {}, ['Soup', 'SOUP', 'ſoup']],
  [['pie', 'none'], {}, ['pie', 'pïe']],
  [['eclair', 'strasse'], {}, ['Éclair', 'e\u0301clair', 'Straße', 'STRASSE']],
  [['pi', 'b', ...Array.from({ length: 20 }, (_, n) => `other${n}`)], {}, ['Pi', 'a\u0000b', 'a\u0001b']],
  [['none'], {}, []],
  [['sou'], { prefix: true }, ['Soup', 'SOUP', 'ſoup']],
  [['none', 'pi'], { prefix: true }, ['pie', 'pïe', 'Pi']],
  [['a', 'b'], { match: 'all' }, ['a\u0000b', 'a\u0001b']],
  [['b', 'a'], { match: 'all', prefix: true }, ['a\u0000b', 'a\u0001b']],
  [['soup', 'pie'], { match: 'all' }, []],
]

function randomWords(listId: string, random: () => number): RandomQuestion {
  const [typed, options, titles] = oneOf(random, titlesWith)
  return {
    question: { kind: 'words', termsId: termsIdOfList({ listId }), terms: searchTerms(typed, options) },
    passes: (item) => titles.includes(JSON.parse(item.data).title),
  }
}

function integers(source: string): IntegerSet {
  const filter = readNumberFilter('number', source)
  if ('error' in filter) throw new Error(filter.error)
  return integersOf(filter)
}

const number = (field: 'createdAt' | 'updatedAt' | 'size', source: string): Question => ({
  kind: 'number',
  field,
  set: integers(source),
})

/** Questions about fields. */
const ofFields: RandomQuestion[] = [
  { question: { kind: 'tagged', anyOf: ['red'] }, passes: ({ tags }) => tags.includes('red') },
  { question: { kind: 'tagged', anyOf: ['red', 'green'] }, passes: ({ tags }) => tags.length > 0 },
  { question: { kind: 'tagged', anyOf: null }, passes: ({ tags }) => tags.length > 0 },
  { question: { kind: 'flag', field: 'readonly', value: true }, passes: (item) => item.readonly },
  { question: { kind: 'flag', field: 'activated', value: false }, passes: (item) => !item.activated },
  { question: number('createdAt', 'gte:3'), passes: ({ createdAt }) => createdAt >= 3 },
  { question: number('createdAt', 'lt:5'), passes: ({ createdAt }) => createdAt < 5 },
  { question: number('createdAt', 'in:2,6'), passes: ({ createdAt }) => createdAt === 2 || createdAt === 6 },
  { question: number('updatedAt', 'lte:14'), passes: ({ updatedAt }) => updatedAt <= 14 },
  { question: number('size', 'gt:2'), passes: ({ size }) => size > 2 },
  {
    question: { kind: 'version', filter: { kind: 'contains', text: '.1.' } },
    passes: ({ version }) => version === '1.1.0',
  },
  { question: { kind: 'owner', ids: null }, passes: () => false },
]
