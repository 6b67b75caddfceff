import type { Value } from '../../expression/value.ts'
import type { Item } from '../../item/item.ts'
import type { List } from '../../list/fields.ts'
import type { ListIndex } from '../../list/index-fields.ts'
import type { Flow } from '../language/flow.ts'
import type { NodeType } from '../language/properties.ts'

// The messages between a run and its driver. A run is a generator (`run.ts`): it yields what it asks, the driver answers with
// `next(answer)`, and its end is a `FlowResult`. It touches nothing: its driver reads for it, and writes what it ends with, or not.
//
//   driver                                run
//   runFlow(request) ───────────────────▶ walks the graph
//   ◀── { ask: 'item', list, ref } ────── get-item, update-item, delete-item of an item that it does not know
//   next({ item: Item | null }) ────────▶
//   ◀── { ask: 'items', … } ───────────── list-items
//   next({ items: Item[] }) ────────────▶
//   ◀── { ask: 'identity', id } ───────── the owner of a new item
//   next({ identity: … | null }) ───────▶
//   ◀── { ask: 'pause' } ──────────────── after so much work: the driver may let others work, and looks at the time
//   next({}) ───────────────────────────▶
//   ◀── done: FlowResult
//
// The driver applies the rules of items and of time: schema, alias, readonly, locked, size, the plan's limits, five seconds. Where it
// cannot answer, or does not want to, it answers `{ rejected }`, and the run fails with that at the node that asked.

/** What a run receives in addition to its answers. Everything that is not here is the same for the same document. */
export type FlowRunRequest = {
  flow: Flow
  /** What expressions name `flow`. */
  about: { id: string; name: string; runId: string }
  /** Validated by the schema of the entry already. */
  input: Value
  /** Who calls; null: no identity, and no token. */
  identity: FlowIdentity | null
  token: { id: string; name: string; tags: readonly string[] } | null
  /** Epoch milliseconds: the one time of the run. */
  now: number
  /** The seed of all random values, so that a run can be repeated. */
  seed: string
  /** By its key (`pathNameKey`), each list of `flow.lists` that is still there. */
  lists: ReadonlyMap<string, FlowList>
  /** A monotonic clock in milliseconds, for the times of steps; absent: they have none. */
  clock?: () => number
  /** Creates the id of an item or an event: a UUID of version 7, whose time is that of the item's creation. */
  newId(): string
}

export type FlowIdentity = { id: string; name: string; displayName: string; group: string; tags: readonly string[] }

/** What a run needs to know of a list. The gateway's `ListConfig` is one. */
export type FlowList = {
  list: Pick<List, 'id' | 'accountId'>
  /** Null: its items have no alias. */
  aliasIndex: Pick<ListIndex, 'pointer'> | null
  /** Pointers of what nodes do not see unless they say `guarded`. */
  guards: readonly string[]
}

/** What a run asks for. `list` is the key of one of `FlowRunRequest.lists`. */
export type FlowAsk =
  /** `ref`: an id or an alias, at most 1,024 characters. Each is asked for once. */
  | { ask: 'item'; list: string; ref: string }
  /**
   * The first items of a page, with all their data. `where`: JSON text as in the parameter of that name (contract 1.4), null: all.
   * `order`: a sorting index or a field; null: that of the list. At most `limit` items. `guarded`: whether the node sees guarded values;
   * without it sizes are those of what it sees.
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
  /** `work`: all that the run has done so far, in steps. */
  | { ask: 'pause'; work: number }

/** The answer to each kind of question; to a pause it is empty. */
export type FlowAnswer =
  | { item: Item | null }
  | { items: readonly Item[] }
  | { identity: Item['identity'] }
  | { rejected: FlowRejection }
  | Record<string, never>

/** Why the driver does not answer: `code` is that of a run's failure, or the name of an error of the API such as INDEX_NOT_USABLE. */
export type FlowRejection = { code: string; message: string; status: number }

/** The end of a run. One that failed has no writes and no emits. */
export type FlowResult = {
  outcome: FlowOutcome
  /** The changes of items in the order of the first change of each: one for each item, whatever the number of nodes. */
  writes: readonly FlowWrite[]
  emits: readonly FlowEmit[]
  /** What it read by id or alias, to be proven when it commits; also of a run that failed, which may have read what is gone. */
  reads: readonly FlowRead[]
  steps: readonly FlowStep[]
  /** Steps of expressions that it took. */
  fuel: number
  /** The same, and all other work counted as steps. */
  work: number
}

export type FlowOutcome = FlowAnswered | FlowFailed

/** `body`: JSON text; null: none. The names of headers are in lower case. */
export type FlowAnswered = {
  kind: 'answered'
  status: number
  headers: Readonly<Record<string, string>>
  body: string | null
}

/** The codes of failures; rules of items keep the name of their error, such as ITEM_LOCKED. */
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
  /** Of the answer: 400 to 499. */
  status: number
  message: string
  node: string
  /** Where an expression failed: its path in the document such as `nodes.0.when`, or `helpers`, and the place in its text. */
  path?: string
  line?: number
  column?: number
  /** Below `each`: of which element. */
  index?: number
}

/** `version` of a changed item is the next one after `before`, however many nodes changed it. */
export type FlowWrite = {
  op: 'create' | 'update' | 'delete'
  list: string
  itemId: string
  /** As it was read, which has to be proven; null: the run created it. */
  before: Item | null
  /** As it is to be; null: it is deleted. */
  after: Item | null
  /**
   * Bytes of the longest data that a node has written to it, as that node sees it. By these its size is checked: that of all its data
   * would reveal how long values are that the node does not see.
   */
  sentBytes: number
  /** The node that changed it last. */
  node: string
}

/** `payload`: JSON text. */
export type FlowEmit = { eventId: string; webhooks: readonly string[]; payload: string; node: string }

/** An item that was read by id or alias: at which revision, or that there was none; and the node that read it first. */
export type FlowRead = { list: string; ref: string; item: { id: string; revision: number } | null; node: string }

/** A node that was visited. Values that are too long to be kept are null. */
export type FlowStep = {
  node: string
  type: NodeType
  /** The values of its expressions, by property; below `each`, those of the last element. */
  inputs: Readonly<Record<string, Value>>
  /** What `steps.<id>` is; null also where it failed. */
  result: Value
  /** The port at which the run continued; null: it ended here. */
  port: string | null
  /** Steps of expressions that it took. */
  fuel: number
  /** The milliseconds that it took, to the thousandth, with its reads and what it waited for. */
  durationMs?: number
  /** A value was too long. */
  cut?: true
}
