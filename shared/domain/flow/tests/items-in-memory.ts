import type { FieldError } from '#shared/errors.ts'
import { AppError, validationFailed } from '#shared/errors.ts'
import { compareTexts } from '#shared/json/compare/compare-texts.ts'
import type { DataError } from '#shared/json-schema/errors.ts'
import { defaultOrder, isFilteredField, isItemOrder, itemOrders, unknownOrder } from '../../item/filters.ts'
import { hiddenSize } from '../../item/guard.ts'
import { aliasAt, keysAt } from '../../item/index-value.ts'
import type { Item } from '../../item/item.ts'
import { itemText, newItem } from '../../item/new-item.ts'
import { passesQuestion } from '../../item/questions/passes-question.ts'
import type { Question } from '../../item/questions/question.ts'
import { asksForDrafts } from '../../item/questions/question.ts'
import { asksForWords } from '../../item/questions/search-filter.ts'
import { readWhere } from '../../item/questions/where.ts'
import {
  readAliasLeaf,
  readFieldLeaf,
  readIndexLeaf,
  readMineLeaf,
  readSearchLeaf,
  unknownCondition,
} from '../../item/questions/where-leaf.ts'
import type { List } from '../../list/fields.ts'
import type { ListIndex } from '../../list/index-fields.ts'
import { indexNamed } from '../../list/index-names.ts'
import { indexNotUsable } from '../../list/index-not-usable.ts'
import { isSearched, nothingSearched } from '../../search/searched.ts'
import type { FlowAsk, FlowList, FlowRejection } from '../run/driver.ts'
import { rejectionOf } from '../run/failure.ts'
import type { GivenItem } from './tests-document.ts'

/** A list for tests of a flow: the rules for its items, without items. */
export type TestList = FlowList & {
  list: Pick<List, 'id' | 'accountId' | 'readonly'>
  indexes: readonly ListIndex[]
  aliasIndex: ListIndex | null
  /** Returns all errors of data by the list's schema; null: it has no schema. */
  schemaErrors: ((data: unknown, text?: string) => readonly DataError[]) | null
}

/** The items of one list during a test. They are few, so every question is answered by a scan of all of them. */
export class ItemsInMemory {
  readonly of: TestList
  readonly #items = new Map<string, Item>()
  /** Parsed data, cached for pages and rules. */
  readonly #data = new WeakMap<Item, unknown>()

  constructor(of: TestList) {
    this.of = of
  }

  /** @param at epoch milliseconds of the first item; each later item is one millisecond newer than the one before */
  give(given: ReadonlyMap<string, GivenItem>, at: number): void {
    for (const [id, item] of given) {
      if (item === null) this.#items.delete(id)
      else this.#items.set(id, this.#itemOf(id, item, at + this.#items.size))
    }
  }

  #itemOf(id: string, { data, owner, tags, ...fields }: NonNullable<GivenItem>, at: number): Item {
    const identity = owner && { id: owner.id, displayName: owner.displayName }
    const birth = { id, list: this.of.list, ...itemText(JSON.stringify(data)), at, identity }
    return { ...newItem({ tags: [...tags] }, birth), ...fields }
  }

  get(id: string): Item | null {
    return this.#items.get(id) ?? null
  }

  set(id: string, item: Item | null): void {
    if (item) this.#items.set(id, item)
    else this.#items.delete(id)
  }

  /** The item with an id or an alias. */
  find(ref: string): Item | null {
    return this.get(ref) ?? [...this.#items.values()].find((item) => this.aliasOf(item) === ref) ?? null
  }

  /** Whether an item, other than the excepted ones, has an alias. */
  hasAlias(alias: string, { except }: { except: ReadonlySet<string> }): boolean {
    return [...this.#items.values()].some((item) => !except.has(item.id) && this.aliasOf(item) === alias)
  }

  get count(): number {
    return this.#items.size
  }

  aliasOf(item: Item): string | null {
    const { aliasIndex } = this.of
    return aliasIndex && aliasAt(aliasIndex, this.#parsed(item))
  }

  #parsed(item: Item): unknown {
    const data = this.#data.get(item) ?? JSON.parse(item.data)
    this.#data.set(item, data)
    return data
  }

  /** A page, as a database returns it: by default the newest first, and without drafts unless they are requested. */
  page(ask: FlowAsk & { ask: 'items' }): readonly Item[] | FlowRejection {
    try {
      return this.#page(ask)
    } catch (error) {
      if (!(error instanceof AppError)) throw error
      return rejectionOf(error)
    }
  }

  /** @throws VALIDATION_FAILED, INDEX_NOT_USABLE, in the order in which a page of a database finds them */
  #page({ where, order, direction, limit, guarded }: FlowAsk & { ask: 'items' }): readonly Item[] {
    const { question, errors } = where === null ? noQuestion : this.#questionOf(where, { guarded })
    const position = this.#positions(order ?? defaultOrder, { guarded })
    const all = 'error' in position ? [...errors, position.error] : errors
    if ('error' in position || all.length > 0) throw validationFailed([...all])
    if (question && asksForWords([question]) && !this.of.indexes.some(isSearched)) throw nothingSearched()
    const withDrafts = question !== null && asksForDrafts([question])
    const sign = (direction ?? position.direction) === 'desc' ? -1 : 1
    return [...this.#items.values()]
      .filter((item) => withDrafts || item.activated)
      .map((item) => ({ item, data: this.#parsed(item) }))
      .filter((parsed) => question === null || passesQuestion(question, parsed, this.of.indexes))
      .map(({ item, data }) => ({ item, key: position.keyOf(item, data) }))
      .sort((one, other) => compareKeys(one, other, sign))
      .slice(0, limit)
      .map(({ item }) => item)
  }

  #questionOf(where: string, { guarded }: { guarded: boolean }): Asked {
    const { aliasIndex, indexes } = this.of
    const read = readWhere(where, (name, source, options) => {
      // A flow reads items without an identity.
      if (name === 'mine') return readMineLeaf(undefined, source)
      if (name === 'alias') return readAliasLeaf(aliasIndex, source)
      if (name === 'search') return readSearchLeaf(source, { termsId: null }, options)
      if (name === 'size' && this.#hidesSizes(guarded)) return { error: hiddenSizes.condition }
      if (isFilteredField(name)) return readFieldLeaf(name, source)
      const index = indexNamed(indexes, name)
      if (!index) return { error: unknownCondition(indexes, name) }
      const error = indexNotUsable(index, 'filtering')
      if (error) throw error
      return readIndexLeaf(index, source)
    })
    return 'errors' in read ? { question: null, errors: read.errors } : { question: read.question, errors: [] }
  }

  #hidesSizes(guarded: boolean): boolean {
    return !guarded && this.of.guards.length > 0
  }

  #positions(order: string, { guarded }: { guarded: boolean }): Positions | { error: FieldError } {
    if (order === 'size' && this.#hidesSizes(guarded)) return { error: { path: 'order', message: hiddenSizes.order } }
    if (isItemOrder(order)) return { direction: itemOrders[order], keyOf: (item) => Number(item[order]) }
    const index = indexNamed(this.of.indexes, order)
    if (!index) return { error: { path: 'order', message: unknownOrder } }
    const error = indexNotUsable(index, 'sorting')
    if (error) throw error
    return { direction: index.defaultOrderDirection, keyOf: (_, data) => keysAt(index, data)[0]?.orderKey ?? null }
  }
}

const hiddenSizes = hiddenSize('nodes that are not guarded')

type Asked = { question: Question | null; errors: readonly FieldError[] }
const noQuestion: Asked = { question: null, errors: [] }

/** The default direction, and the sort key of an item; null: no value, sorted last. */
type Positions = { direction: 'asc' | 'desc'; keyOf(item: Item, data: unknown): string | number | null }
type Keyed = { item: Item; key: string | number | null }

function compareKeys(one: Keyed, other: Keyed, sign: number): number {
  const [left, right] = [one.key, other.key]
  if ((left === null) !== (right === null)) return left === null ? 1 : -1
  const order = typeof left === 'number' ? left - Number(right) : compareTexts(left ?? '', String(right ?? ''))
  return sign * (order || compareTexts(one.item.id, other.item.id))
}
