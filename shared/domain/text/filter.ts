import { caseFold } from './case-fold.ts'
import { readPrefix } from './filter-prefixes.ts'

/** A filter on a text field, its texts case-folded (contract 1.4). */
export type TextFilter = { kind: 'contains' | 'equals' | 'starts'; text: string } | { kind: 'in'; texts: string[] }

/** Parses `pan` (a part), `eq:pancakes`, `starts:pan` or `in:pancakes,waffles`. */
export function readTextFilter(source: string): TextFilter {
  const { comparison, rest } = readPrefix('text', source)
  if (comparison === 'in') return { kind: 'in', texts: rest.split(',').map(caseFold) }
  return { kind: comparison ?? 'contains', text: caseFold(rest) }
}

/** Whether a text passes; case never counts. */
export function matchesText(filter: TextFilter, value: string): boolean {
  return passesText(filter, caseFold(value))
}

/** The same for a text that is already case-folded. */
export function passesText(filter: TextFilter, text: string): boolean {
  if (filter.kind === 'in') return filter.texts.includes(text)
  if (filter.kind === 'equals') return text === filter.text
  return filter.kind === 'starts' ? text.startsWith(filter.text) : text.includes(filter.text)
}

/** The same filter with its texts mapped. */
export function mapTexts(filter: TextFilter, map: (text: string) => string): TextFilter {
  return filter.kind === 'in' ? { ...filter, texts: filter.texts.map(map) } : { ...filter, text: map(filter.text) }
}

/**
 * Whether an index of the trigrams of texts can find texts that contain the text of a filter: this must have three letters or
 * digits in a row.
 * @param of.anyScript false: only ASCII letters count, because the index has no others
 */
export function hasTrigram(filter: TextFilter, { anyScript }: { anyScript: boolean }): boolean {
  return filter.kind === 'contains' && (anyScript ? /[\p{L}0-9]{3}/u : /[a-z0-9]{3}/i).test(filter.text)
}
