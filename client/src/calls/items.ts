import type { ReadItem } from '../condition.ts'
import { type Filter, itemsWhereQuery } from '../filters.ts'
import { createPages, type PageOptions, type Pages } from '../pages.ts'
import { type Answer, type CallOptions, type DeleteOptions, route, type Send } from '../transport.ts'
import type {
  BatchOperation,
  BatchResult,
  Deletion,
  Event,
  Index,
  IndexFields,
  IndexTrial,
  Item,
  ItemFields,
  PatchOperation,
  SearchResultId,
  SearchResultItem,
  Stats,
  WrittenIndex,
} from '../types/resources.ts'
import { createEvents, type EventOptions, type EventsOptions, type Guarded, type StatsOptions } from './events.ts'
import { type FoundItems, readFoundItems, type WordOptions } from './found-items.ts'

/** The types of a list: its data, its indexes by path name with their kinds, and its orders. */
export type ListType = { data: unknown; index: Record<string, IndexKind>; order: string }
/**
 * `alias`: its values are aliases of items. `string`, `number` or `date`: items can be filtered by its values. Both: `'alias' | 'string'`.
 * With `array`, each element of an array is a value, and one must pass a condition: `'string' | 'array'`.
 */
type IndexKind = 'alias' | 'string' | 'number' | 'date' | 'array'

/** The type of each list, by path name. */
export type ListTypes<Lists> = { [Name in keyof Lists]: ListType }

// biome-ignore lint/suspicious/noExplicitAny: without types, only the caller knows the data of a list
export type AnyList = { data: any; index: Record<string, any>; order: string }

type IndexValue = { string: string; number: number; date: Date }
type OwnOrder = 'createdAt' | 'updatedAt' | 'size' | 'readonly' | 'activated' | 'locked'

/** A condition on a value, or several that must all hold; null: no value. */
type ValueFilter<V> = Filter<V> | null | readonly (Filter<V> | null)[]
/** Conditions on a field that every item has. */
type FieldFilter<V> = Filter<V> | readonly Filter<V>[]
/** The kind of an index as a filter; never: it is not a filter. */
type FilterKind<L extends ListType, Name extends keyof L['index']> = Exclude<L['index'][Name], 'alias' | 'array'>

type IndexWhere<L extends ListType> = {
  [Name in keyof L['index'] as FilterKind<L, Name> extends never ? never : Name]?: ValueFilter<
    IndexValue[FilterKind<L, Name>]
  >
}
/** Only if the list has an alias index; otherwise no item has an alias. */
type AliasWhere<L extends ListType> = 'alias' extends L['index'][keyof L['index']]
  ? { alias?: Filter<string> | null }
  : unknown

/**
 * Conditions on items, which must all hold: index values by the index's path name, and fields. A text must be equal, ignoring case; null
 * means no value.
 */
export type ItemsWhere<L extends ListType> = ItemConditionsOf<L> &
  Combinations<L> & {
    /** Default with an API token: true. `any` includes drafts that the caller may see. */
    activated?: boolean | 'any'
  }

/** Conditions combined with `or`, `and` and `not`, at most 20 in 4 levels; several in one object mean `and`. */
export type ItemQuestion<L extends ListType> = ItemConditionsOf<L> & Combinations<L> & { activated?: boolean }

/** `or`: at least one must hold; `and`: all must hold; `not`: they must not all hold. */
type Combinations<L extends ListType> = {
  or?: readonly ItemQuestion<L>[]
  and?: readonly ItemQuestion<L>[]
  not?: ItemQuestion<L>
}

type ItemConditionsOf<L extends ListType> = IndexWhere<L> &
  AliasWhere<L> & {
    id?: Filter<string>
    readonly?: boolean
    identityId?: Filter<string> | null
    /** The items of the identity that is signed in. */
    mine?: true
    /** A comma means OR, an array means AND; null means no tags. */
    tagged?: ValueFilter<string>
    createdAt?: FieldFilter<Date | string>
    updatedAt?: FieldFilter<Date | string>
    version?: FieldFilter<string>
    /** Bytes of the data. */
    size?: FieldFilter<number>
    /** Words to find in the indexes with `searching`: at least one, or, with `match: 'all'`, all. */
    search?: string
  } & WordOptions

export type SearchOptions = CallOptions & Guarded & { [Name in keyof WordOptions]: WordOptions[Name] | undefined }

/** Selects a part of the data. The caller declares its type: `get<string[]>(soup, { path: '$..name' })`. */
type Choice = {
  /** JSON Pointers: the data is reduced to the values at these. */
  fields?: readonly string[] | undefined
  /** A JSONPath: the data is the array of values that it finds. */
  path?: string | undefined
}

export type ReadOptions = CallOptions &
  Guarded &
  Choice & { includeData?: boolean | undefined; version?: string | undefined }

export type ItemsOptions<L extends ListType> = Omit<PageOptions<ItemsWhere<L>>, 'order'> &
  Guarded &
  Choice & {
    order?: OwnOrder | L['order'] | undefined
    /** Whether items include their data. Default: true. */
    includeData?: boolean | undefined
  }

export type WriteOptions = CallOptions &
  Guarded & {
    includeData?: boolean | undefined
    /** Returns the item as it would be, without writing. */
    dryRun?: boolean | undefined
    /** The `etag` that the item must have, '*' for any. Default: the `etag` of the item object that is passed. */
    ifMatch?: string | undefined
  }

export type CreateOptions = Omit<WriteOptions, 'ifMatch'> & {
  /** The same request with the same key is executed once. Default: a new key for each call. */
  idempotencyKey?: string | undefined
}

/**
 * An id, the value of the alias index, or an item object. With an item object (or a copy, or only its `id` and `etag`), a write fails with
 * ITEM_PRECONDITION_FAILED if the item has changed since it was read. Earlier writes with the same object do not count as changes.
 */
export type ItemRef = string | ReadItem

/** A JSON Pointer (RFC 6901), or its steps. */
export type Pointer = string | readonly (string | number)[]

/** Writes accept fields only: a whole item, or a copy of one, fails with VALIDATION_FAILED. */
type NoItem = { id?: never }

/** The items and indexes of one list. */
export type ListHandle<L extends ListType> = {
  /** The name or id with which the handle was created. */
  list: string
  /** Sends any call with the client of the handle. */
  send: Send
  create(fields: ItemFields<L['data']> & NoItem, options?: CreateOptions): Answer<Item<L['data']>>
  get<T = L['data']>(item: ItemRef, options?: ReadOptions): Answer<Item<T>>
  /** Replaces the given fields; `data` replaces the whole data. */
  update(
    item: ItemRef,
    fields: ItemFields<L['data']> & { locked?: boolean } & NoItem,
    options?: WriteOptions,
  ): Answer<Item<L['data']>>
  /** @returns the item before the deletion */
  delete(item: ItemRef, options?: WriteOptions): Answer<Item<L['data']>>
  /** The items, for `for await` or by page. */
  items<T = L['data']>(options?: ItemsOptions<L>): Pages<Item<T>>
  /** The ten best matches for at most five words, best first: ids, or with `includeItems` items. */
  search<Items extends boolean = false>(
    query: string,
    options?: SearchOptions & { includeItems?: Items },
  ): Answer<FoundItems<Items extends true ? SearchResultItem<L['data']> : SearchResultId>>
  /** Creates, updates, puts and deletes up to 1,000 items, all or nothing. */
  batch(operations: readonly BatchOperation<L['data']>[], options?: CreateOptions): Answer<BatchResult<L['data']>>

  /** The value at a pointer in the item's data. */
  value<T = unknown>(item: ItemRef, pointer: Pointer, options?: Omit<ReadOptions, 'includeData'>): Answer<T>
  /** The values at a pointer in the items' data; null where an item has none. */
  values<T = unknown>(pointer: Pointer, options?: Omit<ItemsOptions<L>, 'includeData'>): Pages<T | null>
  /** Sets the value at a pointer. */
  set(item: ItemRef, pointer: Pointer, value: unknown, options?: WriteOptions): Answer<Item<L['data']>>
  /** Removes the value at a pointer. */
  remove(item: ItemRef, pointer: Pointer, options?: WriteOptions): Answer<Item<L['data']>>
  /** Merges a value into the data or the value at `pointer`: objects by member; arrays are concatenated. */
  merge(item: ItemRef, value: unknown, options?: MergeOptions): Answer<Item<L['data']>>
  /** Applies operations of RFC 6902 to the data or the value at `pointer`, all or none. */
  patch(item: ItemRef, operations: readonly PatchOperation[], options?: PartOptions): Answer<Item<L['data']>>

  events(item: ItemRef, options?: EventsOptions): Pages<Event>
  event(item: ItemRef, event: string, options?: EventOptions): Answer<Event>
  /** The number of the item's events by day. */
  stats(item: ItemRef, options?: StatsOptions): Answer<Stats>
  /** Restores the item to its state after the event, as a new version. Use the id for a deleted item. */
  restore(item: ItemRef, event: string, options?: WriteOptions): Answer<Item<L['data']>>

  indexes: Indexes
}

export type PartOptions = WriteOptions & { pointer?: Pointer | undefined }
export type MergeOptions = PartOptions & {
  /** `rfc7396`: null removes a member, and arrays are replaced. */
  merge?: 'rfc7396' | undefined
}

type IndexesWhere = {
  [Name in 'name' | 'pathName']?: Filter<string>
} & { [Name in 'alias' | 'guard' | 'activated']?: boolean } & {
  valueType?: Index['valueType']
  defaultOrderDirection?: 'asc' | 'desc'
  tagged?: string | readonly string[]
}

/** The indexes of a list, by id or path name. */
export type Indexes = {
  create(fields: IndexFields & { pointer: string }, options?: CallOptions): Answer<WrittenIndex>
  /** Previews the values of the index without creating it. */
  try(fields: IndexFields & { pointer: string }, options?: CallOptions): Answer<IndexTrial>
  all(options?: PageOptions<IndexesWhere>): Pages<Index>
  get(index: string, options?: CallOptions): Answer<Index>
  update(index: string, fields: IndexFields, options?: CallOptions): Answer<WrittenIndex>
  /** A dry run returns the warnings about flows that use it; otherwise the result is undefined. */
  delete(index: string, options?: DeleteOptions): Answer<Deletion | undefined>
  /** Restarts a failed build. */
  rebuild(index: string, options?: CallOptions): Answer<Index>
  stats(index: string, options?: StatsOptions): Answer<Stats>
  events(index: string, options?: EventsOptions): Pages<Event>
  event(index: string, event: string, options?: EventOptions): Answer<Event>
}

export function createListHandle<L extends ListType>(send: Send, list: string): ListHandle<L> {
  const pathOf = (item: ItemRef) => route`/lists/${list}/items/${typeof item === 'string' ? item : item?.id}`
  const write = (call: {
    method: string
    item: ItemRef
    part?: string
    body?: unknown
    options?: object | undefined
  }) =>
    send<Item<L['data']>>(`${call.method} ${pathOf(call.item)}${call.part ?? ''}`, {
      body: call.body,
      options: call.options,
      item: typeof call.item === 'string' ? undefined : call.item,
    })
  return {
    list,
    send,
    create: (body, options) => send(route`POST /lists/${list}/items`, { body, options, keyed: true }),
    get: (item, options) => send(`GET ${pathOf(item)}`, { options: chosen(options) }),
    update: (item, body, options) => write({ method: 'PUT', item, body, options }),
    delete: (item, options) => write({ method: 'DELETE', item, options }),
    items: (options) => createItemPages(send, route`GET /lists/${list}/items`, { includeData: true, ...options }),
    search: (query, options) =>
      send(route`GET /lists/${list}/search`, { options: { ...options, query }, read: readFoundItems }),
    batch: (operations, options) =>
      send(route`POST /lists/${list}/items/batch`, { body: { operations }, options, keyed: true }),

    value: (item, pointer, options) => send(`GET ${pathOf(item)}${dataPath(pointer)}`, { options: chosen(options) }),
    values: (pointer, options) => createItemPages(send, route`GET /lists/${list}/items` + dataPath(pointer), options),
    set: (item, pointer, body, options) => write({ method: 'PUT', item, part: dataPath(pointer), body, options }),
    remove: (item, pointer, options) => write({ method: 'DELETE', item, part: dataPath(pointer), options }),
    merge: (item, body, { pointer, ...options } = {}) =>
      write({ method: 'POST', item, part: dataPath(pointer), body, options }),
    patch: (item, body, { pointer, ...options } = {}) =>
      write({ method: 'PATCH', item, part: dataPath(pointer), body, options }),

    ...createEvents(send, pathOf),
    restore: (item, event, options) => write({ method: 'POST', item, part: route`/events/${event}/restore`, options }),
    indexes: createIndexes(send, list),
  }
}

function createIndexes(send: Send, list: string): Indexes {
  const all = route`/lists/${list}/indexes`
  const pathOf = (index: string) => all + route`/${index}`
  return {
    create: (body, options) => send(`POST ${all}`, { body, options }),
    try: (body, options) => send(`POST ${all}`, { body, options: { ...options, dryRun: true } }),
    all: (options) => createPages(send, `GET ${all}`, options),
    get: (index, options) => send(`GET ${pathOf(index)}`, { options }),
    update: (index, body, options) => send(`PUT ${pathOf(index)}`, { body, options }),
    delete: (index, options) => send(`DELETE ${pathOf(index)}`, { options }),
    rebuild: (index, options) => send(`POST ${pathOf(index)}/rebuild`, { options }),
    ...createEvents(send, pathOf),
  }
}

function createItemPages<T>(send: Send, route: string, options?: object): Pages<T> {
  return createPages(send, route, chosen(options), itemsWhereQuery)
}

/** An array would be sent as a repeated parameter. */
function chosen({ fields, ...options }: Choice = {}): object {
  return { ...options, fields: fields?.join() }
}

/** The whole pointer as one encoded path segment: as separate segments, `.` and `..` would be lost. */
function dataPath(pointer: Pointer = ''): string {
  const text =
    typeof pointer === 'string'
      ? pointer.replace(/^(?=[^/])/, '/')
      : pointer.map((step) => `/${String(step).replaceAll('~', '~0').replaceAll('/', '~1')}`).join('')
  return text ? `/data/${encodeURIComponent(text)}` : '/data'
}
