import type { Value } from '../../expression/value.ts'
import type { Item } from '../../item/item.ts'
import type { List } from '../../list/fields.ts'
import type { ListIndex } from '../../list/index-fields.ts'
import type { Flow } from '../language/flow.ts'
import type { NodeType } from '../language/properties.ts'

// The messages between a run and its driver. A run is a generator (`run.ts`): it yields questions, the driver answers with
// `next(answer)`, and it returns a `FlowResult`. It has no side effects: its driver reads for it, and may write its result.
//
//   driver                                run
//   runFlow(request) ───────────────────▶ walks the graph
//   ◀── { ask: 'item', list, ref } ────── get-item, update-item, delete-item of an item that it does not know
//   next({ item: Item | null }) ────────▶
//   ◀── { ask: 'items', … } ───────────── list-items
//   next({ items: Item[] }) ────────────▶
//   ◀── { ask: 'identity', id } ───────── the owner of a new item
//   next({ identity: … | null }) ───────▶
//   ◀── { ask: 'pause' } ──────────────── after some work: the driver may serve others, and checks the time
//   next({}) ───────────────────────────▶
//   ◀── done: FlowResult
//
// The driver applies the rules of items and of time: schema, alias, readonly, locked, size, the plan's limits, five seconds. If it cannot
// or must not answer, it returns `{ rejected }`, and the run fails with that at the node that asked.

/** The input of a run, in addition to the driver's answers. A run depends on nothing else but its document. */
export type FlowRunRequest = {
  flow: Flow
  /** The value of `flow` in expressions. */
  about: { id: string; name: string; runId: string }
  /** Already validated by the schema of the entry. */
  input: Value
  /** The caller's identity; null: no identity, and no token. */
  identity: FlowIdentity | null
  token: { id: string; name: string; tags: readonly string[] } | null
  /** Epoch milliseconds: the one time of the run. */
  now: number
  /** The seed of all random values, so that a run can be repeated. */
  seed: string
  /** The lists of `flow.lists` that still exist, by key (`pathNameKey`). */
  lists: ReadonlyMap<string, FlowList>
  /** A monotonic clock in milliseconds, to time steps; absent: steps are not timed. */
  clock?: () => number
  /** Creates the id of an item or an event: a UUID of version 7, whose time is that of the item's creation. */
  newId(): string
}

export type FlowIdentity = { id: string; name: string; displayName: string; group: string; tags: readonly string[] }

/** The properties of a list that a run needs. The gateway's `ListConfig` has them. */
export type FlowList = {
  list: Pick<List, 'id' | 'accountId'>
  /** Null: items have no alias. */
  aliasIndex: Pick<ListIndex, 'pointer'> | null
  /** Pointers of values that nodes see only with `guarded`. */
  guards: readonly string[]
}

/** A question of a run. `list` is a key of `FlowRunRequest.lists`. */
export type FlowAsk =
  /** `ref`: an id or an alias, at most 1,024 characters. A run asks for each only once. */
  | { ask: 'item'; list: string; ref: string }
  /**
   * The first items of a page, with all their data. `where`: JSON text as in the parameter of that name (contract 1.4), null: all. `order`:
   * a sorting index or a field; null: that of the list. At most `limit` items. `guarded`: whether the node sees guarded values; if not,
   * sizes do not include them.
   */
  | {
      ask: 'items'
      list: string
      where: string | null
      order: string | null
      direction: 'asc' | 'desc' | null
      limit: number
      guarded: boolean
    }
  | { ask: 'identity'; id: string }
  /** `work`: the total work of the run so far, in steps. */
  | { ask: 'pause'; work: number }

/** The answer to each kind of question; to a pause it is empty. */
export type FlowAnswer =
  | { item: Item | null }
  | { items: readonly Item[] }
  | { identity: Item['identity'] }
  | { rejected: FlowRejection }
  | Record<string, never>

/** Why the driver does not answer. `code` is the code of a run's failure, or the name of an API error such as INDEX_NOT_USABLE. */
export type FlowRejection = { code: string; message: string; status: number }

/** The result of a run. A failed run has no writes and no emits. */
export type FlowResult = {
  outcome: FlowOutcome
  /** The changes of items, in the order of their first change: one per item, regardless of how many nodes changed it. */
  writes: readonly FlowWrite[]
  emits: readonly FlowEmit[]
  /** The items that it read by id or alias, to be verified at the commit. A failed run has them too, because it may have read outdated items. */
  reads: readonly FlowRead[]
  steps: readonly FlowStep[]
  /** The number of steps that its expressions took. */
  fuel: number
  /** The same, plus all other work in steps. */
  work: number
}

export type FlowOutcome = FlowAnswered | FlowFailed

/** `body`: JSON text; null: none. Header names are in lower case. */
export type FlowAnswered = {
  kind: 'answered'
  status: number
  headers: Readonly<Record<string, string>>
  body: string | null
}

/** The codes of failures. A broken rule of items has the name of its API error, such as ITEM_LOCKED. */
export type FlowFailureCode =
  | 'REQUIRE_FAILED'
  | 'NOT_FOUND'
  | 'CONFLICT'
  | 'SCHEMA_INVALID'
  | 'EXPRESSION_ERROR'
  | 'LIMIT'
  | 'TIMEOUT'

export type FlowFailed = {
  kind: 'failed'
  code: FlowFailureCode | (string & {})
  /** The status of the answer: 400 to 499. */
  status: number
  message: string
  node: string
  /** The place where an expression failed: its path in the document such as `nodes.0.when`, or `helpers`, and the place in its text. */
  path?: string
  line?: number
  column?: number
  /** Below `each`: the position of the element. */
  index?: number
}

/** A change of an item. Its `version` is the next one after `before`, regardless of how many nodes changed it. */
export type FlowWrite = {
  op: 'create' | 'update' | 'delete'
  list: string
  itemId: string
  /** The item as it was read, which the commit verifies; null: the run created it. */
  before: Item | null
  /** The new state; null: deleted. */
  after: Item | null
  /**
   * Bytes of the longest data that a node wrote to the item, as that node sees it. The size limit applies to these bytes: checking all data
   * would reveal the length of values that the node does not see.
   */
  sentBytes: number
  /** The last node that changed it. */
  node: string
}

/** `payload`: JSON text. */
export type FlowEmit = { eventId: string; webhooks: readonly string[]; payload: string; node: string }

/** A read by id or alias: the item's id and revision, or that there was none, and the node that read it first. */
export type FlowRead = { list: string; ref: string; item: { id: string; revision: number } | null; node: string }

/** A visited node. Values that are too long to keep are null. */
export type FlowStep = {
  node: string
  type: NodeType
  /** The values of its expressions, by property; below `each`, those of the last element. */
  inputs: Readonly<Record<string, Value>>
  /** The value of `steps.<id>`; also null if the node failed. */
  result: Value
  /** The port at which the run continued; null: it ended here. */
  port: string | null
  /** The number of steps that its expressions took. */
  fuel: number
  /** Its duration in milliseconds with three decimals, including reads and waits. */
  durationMs?: number
  /** A value was too long. */
  cut?: true
}
