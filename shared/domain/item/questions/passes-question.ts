import type { ListIndex } from '../../list/index-fields.ts'
import { itemWords } from '../../search/item-words.ts'
import { hasTerms } from '../../search/query.ts'
import { matchesText, passesText } from '../../text/filter.ts'
import { type Keys, keysAt } from '../index-value.ts'
import type { Item } from '../item.ts'
import { passesKeyFilter } from './key-filter.ts'
import { isInteger } from './number-filter.ts'
import type { Leaf, Question } from './question.ts'

/** An item in memory, with its parsed data. */
export type ParsedItem = {
  item: Item
  data: unknown
  /** Caches the entries of its indexes, for checking many questions on one item. */
  entries?: Map<string, readonly Keys[]>
}

/** Whether an item passes a question, as in a database. @param indexes of its list */
export function passesQuestion(question: Question, parsed: ParsedItem, indexes: readonly ListIndex[]): boolean {
  switch (question.kind) {
    case 'and':
      return question.of.every((one) => passesQuestion(one, parsed, indexes))
    case 'or':
      return question.of.some((one) => passesQuestion(one, parsed, indexes))
    case 'not':
      return !passesQuestion(question.of, parsed, indexes)
    case 'value':
      return passesValue(question, parsed, indexes)
    case 'words':
      return hasTerms(itemWords(indexes, parsed.data).frequencies, question.terms)
    default:
      return passesField(question, parsed.item)
  }
}

type ValueLeaf = Leaf & { kind: 'value' }

function entriesOf(
  { data, entries: kept }: ParsedItem,
  indexId: string,
  indexes: readonly ListIndex[],
): readonly Keys[] {
  const known = kept?.get(indexId)
  if (known) return known
  const index = indexes.find(({ valuesId }) => valuesId === indexId)
  const entries = index ? keysAt(index, data) : []
  kept?.set(indexId, entries)
  return entries
}

function passesValue(
  { indexId, keys, texts, not }: ValueLeaf,
  parsed: ParsedItem,
  indexes: readonly ListIndex[],
): boolean {
  const entries = entriesOf(parsed, indexId, indexes)
  if (keys !== null) return passesKeyFilter({ keys, texts, ...(not && { not }) }, entries)
  const passes = entries.some(
    ({ filterKey }) => filterKey !== null && texts.every((text) => passesText(text, filterKey)),
  )
  return passes !== (not === true)
}

/** A condition on tags or a flag. */
export type MarkLeaf = Leaf & { kind: 'tagged' | 'flag' }
/** The parts of an item that such conditions are about. */
export type Marks = Pick<Item, 'tags' | 'readonly' | 'activated'>

export function passesMark(leaf: MarkLeaf, item: Marks): boolean {
  if (leaf.kind === 'flag') return item[leaf.field] === leaf.value
  return leaf.anyOf === null ? item.tags.length > 0 : leaf.anyOf.some((tag) => item.tags.includes(tag))
}

function passesField(leaf: Exclude<Leaf, { kind: 'value' | 'words' }>, item: Item): boolean {
  switch (leaf.kind) {
    case 'tagged':
    case 'flag':
      return passesMark(leaf, item)
    case 'owner':
      return item.identity !== null && (leaf.ids === null || leaf.ids.includes(item.identity.id))
    case 'id':
      return leaf.ids.includes(item.id)
    case 'number':
      return isInteger(leaf.set, item[leaf.field])
    case 'version':
      return matchesText(leaf.filter, item.version)
  }
}
