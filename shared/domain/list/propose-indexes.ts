import { maxShortLength, type Observed } from '#shared/json-schema/infer/observe.ts'
import { lengths } from '../limits.ts'
import { pathNameFrom } from '../path-name.ts'
import type { ListIndex } from './index-fields.ts'
import { pointerWarning } from './warnings.ts'

/** The fields of a proposed index. Defaults: false, a string, ascending. */
export type ProposedFields = { pointer: string } & Partial<
  Pick<ListIndex, 'valueType' | 'alias' | 'sorting' | 'filtering' | 'searching' | 'defaultOrderDirection'>
>

export type IndexProposal = {
  /** Unique among the proposals. */
  pathName: string
  fields: ProposedFields
  /** The reason for the proposal, as a sentence. */
  reason: string
}

/** Each index may add a row to every write of an item. */
const mostProposals = 12

/**
 * Proposes indexes for items like the samples, the most commonly needed first: one alias, then titles, numbers and dates, and short texts.
 * Objects, arrays and values in arrays get none.
 */
export function proposeIndexes(observed: Observed): IndexProposal[] {
  const places = scalarPlaces(observed)
  const alias = aliasPlace(places)
  const proposals = places.flatMap((place) => {
    const proposed = place === alias ? aliasProposal(place) : proposalOf(place)
    return proposed === null ? [] : [{ ...proposed, tokens: place.tokens }]
  })
  const chosen = proposals.sort((a, b) => a.rank - b.rank).slice(0, mostProposals)
  return withPathNames(chosen)
}

/** A value that is not inside an array, and its place. */
type Place = { tokens: readonly string[]; pointer: string; seen: Observed; samples: number }
type Proposal = { rank: number; fields: ProposedFields; reason: string }

/** Maximum tokens of a pointer: deeper values are seldom queried. */
const deepest = 3

function scalarPlaces(root: Observed): Place[] {
  const inside = (seen: Observed, tokens: readonly string[]): Place[] =>
    [...seen.properties].flatMap(([name, property]) => {
      const path = [...tokens, name]
      const pointer = path.map((token) => `/${token.replaceAll('~', '~0').replaceAll('/', '~1')}`).join('')
      if (property.properties.size > 0) return path.length < deepest ? inside(property, path) : []
      return pointerWarning(pointer) === null ? [{ tokens: path, pointer, seen: property, samples: root.count }] : []
    })
  return inside(root, [])
}

/** The kind of the values at a place, ignoring null; null: several kinds, or a kind that cannot be indexed. */
function kindOf({ seen: { kinds } }: Place): 'string' | 'number' | null {
  const others = [...kinds.keys()].filter((kind) => kind !== 'null')
  if (others.length > 0 && others.every((kind) => kind === 'integer' || kind === 'number')) return 'number'
  return others.length === 1 && others[0] === 'string' ? 'string' : null
}

/** Names of fields that are probably aliases, most likely first. */
const aliasNames = ['slug', 'id', 'uuid', 'guid', 'sku', 'isbn', 'ean', 'gtin', 'code', 'key', 'handle', 'username']
/** The number of items with different values before a field counts as unique, if only the end of its name suggests it. */
const fewestForEnding = 5

function aliasPlace(places: readonly Place[]): Place | undefined {
  const unique = places.filter(isUnique)
  const topFirst = unique.sort((a, b) => a.tokens.length - b.tokens.length)
  for (const name of aliasNames) {
    const named = topFirst.find(({ tokens }) => plainName(tokens) === name)
    if (named) return named
  }
  return topFirst.find(
    ({ tokens, samples }) =>
      tokens.length === 1 && samples >= fewestForEnding && aliasNames.some((name) => plainName(tokens).endsWith(name)),
  )
}

function isUnique({ seen, samples }: Place): boolean {
  const { kinds, texts, numbers } = seen
  if (seen.count !== samples) return false
  if (kinds.get('integer') === samples) {
    return numbers.size === samples && [...numbers.keys()].every(isExact)
  }
  const areAll = kinds.get('string') === samples && texts.short.size === samples
  return areAll && [...texts.short.keys()].every((text) => nameLike.test(text))
}

/** A number as an alias is the text of its double. */
const isExact = (number: string) => Number.isSafeInteger(Number(number)) && String(Number(number)) === number
const nameLike = /^[\w.~:@+-]+$/

function plainName(tokens: readonly string[]): string {
  return (tokens.at(-1) ?? '').toLowerCase().replace(/[^a-z0-9]/g, '')
}

function aliasProposal(place: Place): Proposal {
  const { pointer } = place
  const number = kindOf(place) === 'number'
  return {
    rank: 0,
    fields: number
      ? { pointer, valueType: 'number', alias: true, sorting: true }
      : { pointer, alias: true, filtering: true, sorting: true },
    reason: 'Every item has a different value, so items can be addressed by it.',
  }
}

const titleNames = /(name|title|label|headline|subject|heading|caption)$/
const textNames = /(description|summary|text|body|content|notes?|comments?|message|abstract|bio)$/
/** Longer texts are prose, not values to compare. */
const longestToCompare = 64
/** Average white space per text above which texts count as sentences. */
const gapsOfSentence = 5

function proposalOf(place: Place): Proposal | null {
  const { pointer, seen } = place
  const { formats, longest, gaps, hasLines } = seen.texts
  const kind = kindOf(place)
  if (kind === null || (kind === 'string' && longest === 0)) return null
  if (kind === 'number') return comparable(pointer, 'number')
  if (formats.some((format) => dates.has(format))) return comparable(pointer, 'date')
  if (formats.includes('uri')) return null
  const name = plainName(place.tokens)
  const isSentence = hasLines || longest > longestToCompare || gaps / (seen.kinds.get('string') ?? 1) >= gapsOfSentence
  if (titleNames.test(name) && !hasLines && longest <= maxShortLength) return title(pointer)
  if (isSentence || textNames.test(name)) {
    const reason = 'A text: items can be found by its words.'
    return { rank: 3, fields: { pointer, searching: true }, reason }
  }
  return { rank: 2, fields: { pointer, filtering: true }, reason: 'A short text: items can be filtered by it.' }
}

const dates: ReadonlySet<string> = new Set(['date-time', 'date', 'local-time'])

function title(pointer: string): Proposal {
  const reason = 'A title: items can be found by its words, and filtered and ordered by it.'
  return { rank: 1, fields: { pointer, searching: true, filtering: true, sorting: true }, reason }
}

function comparable(pointer: string, valueType: 'number' | 'date'): Proposal {
  const fields: ProposedFields = { pointer, valueType, filtering: true, sorting: true }
  if (valueType === 'number') {
    return { rank: 2, fields, reason: 'A number: items can be compared and ordered by it.' }
  }
  fields.defaultOrderDirection = 'desc'
  return { rank: 2, fields, reason: 'A date: items can be ordered by it, and found before or after a day.' }
}

function withPathNames(proposals: readonly (Proposal & { tokens: readonly string[] })[]): IndexProposal[] {
  const taken = new Set<string>()
  return proposals.map(({ tokens, fields, reason }) => {
    const wanted = pathNameFrom(tokens.map(words).join('-'))?.slice(0, longestStem) ?? 'index'
    let pathName = wanted
    for (let n = 2; taken.has(pathName); n++) pathName = `${wanted}-${n}`
    taken.add(pathName)
    return { pathName, fields, reason }
  })
}

/** Leaves room for a numeric suffix. */
const longestStem = lengths.pathName - 3

/** `publishedAt` is `published-at`: path names of indexes are lower-case. */
const words = (name: string) => name.replace(/([a-z0-9])([A-Z])/g, '$1-$2')
