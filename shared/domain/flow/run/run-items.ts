import { timeOfId } from '../../id.ts'
import { aliasAt } from '../../item/index-value.ts'
import type { Item } from '../../item/item.ts'
import { itemText, newItem } from '../../item/new-item.ts'
import { nextItem } from '../../item/next-item.ts'
import { laterThan } from '../../later-than.ts'
import { lengths } from '../../limits.ts'
import { isLongerThan } from '../../text/code-points.ts'
import type { FlowAnswer, FlowAsk, FlowList, FlowRead, FlowRunRequest, FlowWrite } from './driver.ts'

/** An item that a run has read or created: the state that was read, and the state after the run's changes; null: it did not exist, or was deleted. */
export type KnownItem = {
  readonly list: string
  readonly before: Item | null
  now: Item | null
  /** The bytes of the longest data that a node wrote to it, as that node sees it. */
  sentBytes: number
  /** The last node that changed it; null: none. */
  changedBy: string | null
}

/** How a run asks the driver, and counts its reads. */
type Asking = {
  ask(question: FlowAsk): Generator<FlowAsk, FlowAnswer, FlowAnswer>
  take(counted: 'reads' | 'writes' | 'bytesWritten', count?: number): void
  list(key: string): FlowList
  worked(characters: number): void
  pause(): Generator<FlowAsk, void, FlowAnswer>
}

/** An item that a node asks for, by id or alias. */
type Wanted = { list: string; ref: string; node: string }

/** The items of one run. Each has one state: a node sees the changes of earlier nodes. */
export class RunItems {
  readonly #request: Pick<FlowRunRequest, 'now' | 'newId'>
  readonly #known = new Map<string, KnownItem>()
  /** The items that the driver found, by list and reference. */
  readonly #found = new Map<string, KnownItem | null>()
  /** Changed items, in the order of their first change. */
  readonly #changed = new Set<KnownItem>()
  /** The aliases of items after the run's changes. */
  readonly #aliases = new WeakMap<Item, string | null>()
  /** The reads by id or alias, without duplicates. */
  readonly reads: FlowRead[] = []

  constructor(request: Pick<FlowRunRequest, 'now' | 'newId'>) {
    this.#request = request
  }

  /** The item with an id or alias, after the run's changes; null: there is none. */
  *find(run: Asking, { list, ref, node }: Wanted): Generator<FlowAsk, KnownItem | null, FlowAnswer> {
    // A deleted list is reported before anything else.
    run.list(list)
    if (!mayBeReference(ref)) return null
    const known = this.#known.get(keyOf(list, ref)) ?? (yield* this.#changedWithAlias(run, list, ref))
    if (known) this.#prove(known, { ref, node })
    const found = known ?? (yield* this.#read(run, { list, ref, node }))
    return found?.now && (found.now.id === ref || !found.changedBy || this.#aliasOf(run, list, found.now) === ref)
      ? found
      : null
  }

  /** The items of a page that the run has not deleted. */
  listed(list: string, items: readonly Item[]): KnownItem[] {
    return items.map((item) => this.#learn(list, item)).filter(({ now }) => now !== null)
  }

  create(run: Asking, list: string, item: Pick<Item, 'tags' | 'identity'> & { data: string; node: string }): KnownItem {
    const { list: place } = run.list(list)
    run.take('writes')
    const { data, node, tags, identity } = item
    const id = this.#request.newId()
    const now = newItem({ tags }, { id, list: place, ...itemText(data), at: timeOfId(id), identity })
    run.take('bytesWritten', now.size)
    const known = { list, before: null, now, sentBytes: now.size, changedBy: node }
    this.#known.set(keyOf(list, id), known)
    this.#changed.add(known)
    return known
  }

  /**
   * @param changed.data its new data; null: delete it
   * @param changed.sentBytes the bytes that the node sees of it
   */
  change(run: Asking, known: KnownItem, changed: { data: string | null; sentBytes: number; node: string }): void {
    const { data, sentBytes, node } = changed
    run.take('writes')
    run.take('bytesWritten', sentBytes)
    known.now = data !== null && known.now ? this.#changedItem(known.now, known.before, data) : null
    known.sentBytes = Math.max(known.sentBytes, sentBytes)
    known.changedBy = node
    this.#changed.add(known)
  }

  /** The writes of the run: one change per item. An item that was created and deleted has none. */
  writes(): FlowWrite[] {
    return [...this.#changed].flatMap(({ list, before, now, sentBytes, changedBy }) => {
      const itemId = now?.id ?? before?.id
      if (itemId === undefined || changedBy === null) return []
      const op = before === null ? 'create' : now === null ? 'delete' : 'update'
      return [{ op, list, itemId, before, after: now, sentBytes, node: changedBy }]
    })
  }

  /** An item's version increments once, regardless of how many nodes change it. */
  #changedItem(now: Item, before: Item | null, data: string): Item {
    if (before === null) return { ...now, ...itemText(data) }
    return nextItem(before, {}, { ...itemText(data), at: laterThan(before, this.#request.now) })
  }

  *#changedWithAlias(run: Asking, list: string, ref: string): Generator<FlowAsk, KnownItem | undefined, FlowAnswer> {
    for (const known of this.#changed) {
      if (known.list !== list || known.now === null) continue
      if (this.#aliasOf(run, list, known.now) === ref) return known
      yield* run.pause()
    }
    return undefined
  }

  /** The alias of an item after the run's changes. The data is parsed only when needed: few runs use an alias that they have changed. */
  #aliasOf(run: Asking, list: string, item: Item): string | null {
    const { aliasIndex } = run.list(list)
    const known = this.#aliases.get(item)
    if (!aliasIndex || known !== undefined) return known ?? null
    const alias = aliasAt(aliasIndex, JSON.parse(item.data))
    run.worked(item.data.length)
    this.#aliases.set(item, alias)
    return alias
  }

  *#read(run: Asking, { list, ref, node }: Wanted): Generator<FlowAsk, KnownItem | null, FlowAnswer> {
    const before = this.#found.get(keyOf(list, ref))
    if (before !== undefined) return before
    run.take('reads')
    const answer = yield* run.ask({ ask: 'item', list, ref })
    const known = 'item' in answer && answer.item ? this.#learn(list, answer.item) : null
    this.#found.set(keyOf(list, ref), known)
    if (known) this.#prove(known, { ref, node })
    else this.reads.push({ list, ref, item: null, node })
    return known
  }

  #learn(list: string, item: Item): KnownItem {
    const key = keyOf(list, item.id)
    const known = this.#known.get(key) ?? { list, before: item, now: item, sentBytes: 0, changedBy: null }
    this.#known.set(key, known)
    return known
  }

  /** Records that the run depends on the state of the item that it read. */
  #prove({ list, before }: KnownItem, { ref, node }: Pick<Wanted, 'ref' | 'node'>): void {
    if (!before || this.reads.some(({ item }) => item?.id === before.id)) return
    this.reads.push({ list, ref, item: { id: before.id, revision: before.revision }, node })
  }
}

const keyOf = (list: string, ref: string) => `${list}/${ref}`

/** Whether an item can have such an id or alias. */
function mayBeReference(ref: string): boolean {
  return ref !== '' && !isLongerThan(ref, lengths.aliasValue) && !ref.includes('\u0000') && ref.isWellFormed()
}
