import type { AnyList, ItemsOptions, ListHandle, ListType } from '../calls/items.ts'
import type { Item } from '../types/resources.ts'
import type { IndexTable } from './judge.ts'
import { follow, isFinal, later, type StreamState } from './stream.ts'
import { type ItemFrame, type Question, take } from './window.ts'

/** A live view of items. */
export type Live<Data> = {
  /** In order; a new array after each change. */
  readonly items: readonly Item<Data>[]
  /** Whether there are more than `limit`. */
  readonly hasMore: boolean
  /** `connected`: up to date; `behind`, `reset`: will be up to date again automatically; `ended`: no longer updated. */
  readonly state: StreamState
  /** The reason for the end. */
  readonly error?: unknown
  close(): void
}

export type LiveOptions<L extends ListType> = Omit<ItemsOptions<L>, 'timeoutMs'> & {
  /** Called initially, and after each change of the items or the state. */
  onChange?: ((live: Live<L['data']>) => void) | undefined
}

/** How long changes are collected before the service is queried. */
const gatherMs = 50
/** How long to wait after a call has failed with all retries. */
const againMs = 2_000
/** The maximum rows of one page. For indexes beyond that, the service is queried. */
const maxItems = 100

/**
 * The items that `list.items(options)` finds, at most `limit` (100), kept up to date: changes come over the stream of the client and are
 * put in their place. Where that takes the service, the page is read again. `signal` ends it, as `close` does.
 * @returns once the items are there
 * @throws ListdError when the service rejects them, or the reason of the signal
 */
export async function live<L extends ListType = AnyList>(
  list: ListHandle<L>,
  { onChange, signal, ...options }: LiveOptions<L> = {},
): Promise<Live<L['data']>> {
  signal?.throwIfAborted()
  return new Promise((resolve, reject) => {
    const settle = { resolve, reject } as Settle
    const question = { limit: maxItems, ...options } as Question
    const reader = new Reader(list as never, question, { settle, onChange: onChange as Listener })
    signal?.addEventListener('abort', () => reader.close(signal.reason))
  })
}

type Listener = ((live: Live<unknown>) => void) | undefined
type Settle = { resolve(live: Shown): void; reject(error: unknown): void }
type Shown = { -readonly [Name in keyof Live<never>]: Live<never>[Name] }

/** What must be read: nothing, the page, or the indexes and the page. */
const needPage = 1
const needAll = 2

class Reader {
  readonly #list: ListHandle<AnyList>
  readonly #question: Question
  readonly #onChange: (live: Live<unknown>) => void
  readonly #stop: () => void
  /** Changes that came while the page is read. */
  #held: ItemFrame[] = []
  #indexes: IndexTable = new Map()
  #needs: number = needAll
  #state: StreamState = 'behind'
  #reported: readonly unknown[] | undefined
  #reportedState: StreamState | undefined
  #isReading = false
  #isOver = false
  #timer: ReturnType<typeof setTimeout> | undefined
  readonly #settle: Settle
  /** The view of the caller, which is changed in place. */
  readonly #shown: Shown = { items: [], hasMore: false, state: 'behind', close: () => this.close() }

  constructor(
    list: ListHandle<AnyList>,
    question: Question,
    { settle, onChange }: { settle: Settle; onChange: Listener },
  ) {
    this.#list = list
    this.#question = question
    this.#onChange = later(onChange)
    this.#settle = settle
    this.#stop = follow(list.send, {
      names: [list.list],
      onFrame: (type, sent) => this.#hear({ type, ...sent }),
      onState: (state, error) => this.#turn(state, error),
    })
  }

  close(reason?: unknown): void {
    this.#isOver = true
    clearTimeout(this.#timer)
    this.#stop()
    this.#settle.reject(reason)
  }

  #turn(state: StreamState, error?: unknown): void {
    this.#state = state
    if (state === 'reset') this.#needs = needAll
    if (state === 'connected' && this.#needs) this.#schedule(0)
    this.#shown.error = error
    this.#show()
    if (state === 'ended') this.close(error)
  }

  #hear(frame: ItemFrame): void {
    if (frame.type.startsWith('item-')) this.#held.push(frame)
    // Its indexes may be others.
    else this.#needs = needAll
    if (!this.#isReading) this.#takeHeld()
  }

  #takeHeld(): void {
    if (this.#needs < needAll)
      for (const frame of this.#held.splice(0))
        if (take(this.#shown, this.#question, frame, this.#indexes)) this.#needs = needPage
    if (this.#needs) this.#schedule(gatherMs)
    this.#show()
  }

  /** @param ms as much again by chance */
  #schedule(ms: number): void {
    if (!this.#isReading && !this.#isOver) this.#timer ??= setTimeout(() => this.#read(), ms * (1 + Math.random()))
  }

  async #read(): Promise<void> {
    const needed = this.#needs
    this.#timer = undefined
    this.#needs = 0
    this.#isReading = true
    try {
      if (needed === needAll) this.#indexes = await readIndexes(this.#list, this.#question)
      const { data, next } = await this.#list.items(this.#question as never).after()
      this.#isReading = false
      if (this.#isOver) return
      Object.assign(this.#shown, { items: data, hasMore: !!next })
      this.#takeHeld()
      this.#settle.resolve(this.#shown)
    } catch (error) {
      this.#isReading = false
      this.#needs = Math.max(needed, this.#needs)
      if (isFinal(error)) this.#turn('ended', error)
      else this.#schedule(againMs)
    }
  }

  #show(): void {
    // It is up to date when all has been read.
    if (this.#state !== 'connected' || !(this.#isReading || this.#needs === needAll)) this.#shown.state = this.#state
    const { items, state } = this.#shown
    if (this.#reported === items && this.#reportedState === state) return
    this.#reported = items
    this.#reportedState = state
    if (!this.#isOver) this.#onChange({ ...this.#shown })
  }
}

/** The indexes of the list that the question uses; empty if the caller may not see them, so that the service is queried instead. */
async function readIndexes({ indexes }: ListHandle<AnyList>, { where, order }: Question): Promise<IndexTable> {
  if (!where && !order) return new Map()
  const found = await indexes
    .all()
    .toArray(maxItems)
    .catch(() => [])
  return new Map(found.map((index) => [index.pathName, index]))
}
