import { valueAt } from '#shared/json/pointer.ts'
import { lengths } from '../limits.ts'
import type { ListIndex, ValueType } from '../list/index-fields.ts'
import { parseDate } from '../text/date.ts'
import { firstCharacters } from '../text/first-characters.ts'
import { isSearched } from './searched.ts'
import { wordsOf } from './words.ts'

/** The words of an item: one text, regardless of how many indexes they come from. */
export type ItemWords = {
  /** How often the text has each of its words. */
  frequencies: ReadonlyMap<string, number>
  /** The number of its words, repeated ones included. */
  length: number
}

export const noWords: ItemWords = { frequencies: new Map(), length: 0 }

/**
 * The words of an item's parsed data in the searched ones of these indexes, from the first 1,024 characters of each. A value of the wrong
 * type has none; an array has the words of its elements.
 */
export function itemWords(indexes: readonly ListIndex[], data: unknown): ItemWords {
  const words = indexes.filter(isSearched).flatMap(({ pointer, valueType }) => {
    return wordsOf(textOf(valueAt(data, pointer), valueType))
  })
  const frequencies = new Map<string, number>()
  for (const word of words) frequencies.set(word, (frequencies.get(word) ?? 0) + 1)
  return { frequencies, length: words.length }
}

function textOf(value: unknown, valueType: ValueType): string {
  const texts: string[] = []
  let length = 0
  for (const element of Array.isArray(value) ? value : [value]) {
    if (length > 2 * lengths.filterKey) break
    const text = textOfScalar(element, valueType)
    if (text === null) continue
    texts.push(text)
    length += text.length + 1
  }
  return firstCharacters(texts.join(' '), lengths.filterKey)
}

function textOfScalar(value: unknown, valueType: ValueType): string | null {
  if (valueType === 'number') return typeof value === 'number' ? String(value) : null
  if (typeof value !== 'string') return null
  return valueType === 'string' || parseDate(value) !== null ? value : null
}
