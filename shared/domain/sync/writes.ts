import { initialValues } from '../fields/values.ts'
import { laterThan } from '../later-than.ts'
import { type List, listFields, serializeList } from '../list/fields.ts'
import { type IndexChange, isReadyAtOnce, withBuild } from '../list/index-build.ts'
import { indexFields, type ListIndex, serializeListIndex } from '../list/index-fields.ts'
import type { Change } from './change.ts'
import { listGrowth } from './growth.ts'
import type { PlannedIndex } from './index-plan.ts'
import type { PlannedList } from './list-plan.ts'
import type { SyncPlan } from './schema-sync.ts'

/** Everything that applying a plan writes, as values. */
export type SyncWrites = {
  newLists: List[]
  changedLists: List[]
  /** Every existing list that is deleted or changed (including its indexes), with the version that the plan is based on. */
  touchedLists: TouchedList[]
  deletedLists: List[]
  newIndexes: ListIndex[]
  changedIndexes: ListIndex[]
  /** Of lists that stay. */
  deletedIndexes: ListIndex[]
  /** The indexes whose builds start, end or continue, each with the number of items in its list. */
  builds: (IndexChange & { items: number })[]
  events: SyncEvent[]
  /** The number of lists added to the account, and the maximum; null: no maximum. */
  growth: { accountId: string; added: number; max: number | null }
}

/**
 * `mustBeEmpty`: an index is marked as ready without a build, or the list is deleted as one without items, which is correct only
 * while it has none.
 */
type TouchedList = { id: string; configVersion: number; mustBeEmpty: boolean }

type SyncEvent = {
  id: string
  accountId: string
  /** Epoch milliseconds. */
  createdAt: number
  stream: 'list' | 'index'
  type: `${'list' | 'index'}-${'created' | 'updated' | 'deleted'}`
  modelId: string
  listId: string
  /** JSON text of the list or index after the change; before it, when deleted. */
  snapshot: string
  /** The event is sent to streams. */
  realtime?: true
}

type WriteOptions = {
  accountId: string
  /** Epoch milliseconds, the time of every row. */
  now: number
  newId(): string
  /** The maximum lists of the account; absent or null: no maximum. */
  maxLists?: number | null
}

/**
 * The rows that applying a plan writes, and its changes with the ids of what it creates. The plan must not be blocked. It takes
 * long for many lists, so it yields after each, and after each event.
 */
export function* syncWrites(
  plan: SyncPlan,
  options: WriteOptions,
): Generator<undefined, { writes: SyncWrites; changes: Change[] }> {
  const lists: { planned: PlannedList; row: List; indexes: WrittenIndex[] }[] = []
  const changes: Change[] = []
  for (const planned of plan.lists) {
    const row = listAfter(planned, options)
    const indexes = planned.indexes.map((index) => ({ planned: index, row: indexAfter(index, row, options) }))
    lists.push({ planned, row, indexes })
    changes.push({ ...planned.change, listId: row.id }, ...indexes.map(appliedChange))
    changes.push(...planned.deletedIndexes.map(({ change }) => change))
    yield
  }
  const indexes = lists.flatMap((list) => list.indexes)
  const rows = {
    newLists: rowsOf(lists, isCreation),
    changedLists: rowsOf(lists, isUpdate),
    deletedLists: plan.deletedLists.map(({ current }) => current),
    newIndexes: rowsOf(indexes, isCreation),
    changedIndexes: rowsOf(indexes, isUpdate),
    deletedIndexes: plan.lists.flatMap(({ deletedIndexes }) => deletedIndexes.map(({ current }) => current)),
  }
  const touchedLists = [
    ...lists.flatMap(({ planned, indexes }) => touchedList(planned, indexes)),
    ...rows.deletedLists.map(({ id, configVersion, itemCount }) => ({
      id,
      configVersion,
      mustBeEmpty: itemCount === 0,
    })),
  ]
  const builds = [...buildsOf(indexes), ...rows.deletedIndexes.map((before) => ({ before, after: null, items: 0 }))]
  const growth = { accountId: options.accountId, added: listGrowth(plan), max: options.maxLists ?? null }
  return {
    writes: {
      ...rows,
      touchedLists,
      builds,
      events: yield* eventsOf(rows, { ...options, realtime: realtimeBefore(plan) }),
      growth,
    },
    changes: [...changes, ...plan.deletedLists.map(({ change }) => change)],
  }
}

/** Whether applying the change writes something. */
export function isWrite(change: Change): boolean {
  return isCreation(change) || isUpdate(change) || change.action === 'delete'
}

function isCreation({ action }: Change): boolean {
  return action === 'create'
}

function isUpdate({ action }: Change): boolean {
  return action === 'update' || action === 'adopt'
}

function rowsOf<R>(all: readonly { planned: { change: Change }; row: R }[], chosen: (change: Change) => boolean): R[] {
  return all.filter(({ planned }) => chosen(planned.change)).map(({ row }) => row)
}

function listAfter({ change, current, after }: PlannedList, { accountId, now, newId }: WriteOptions): List {
  if (current) return isWrite(change) ? { ...current, ...after, updatedAt: laterThan(current, now) } : current
  const own = { id: newId(), accountId, createdAt: now, updatedAt: now, pathName: change.list }
  return { ...initialList, ...after, ...own }
}

function indexAfter(planned: PlannedIndex, list: List, { accountId, now, newId }: WriteOptions): ListIndex {
  const { change, current, pathName, after } = planned
  if (current && !isWrite(change)) return current
  const options = { items: list.itemCount, newId }
  if (current) return withBuild(current, { ...current, ...after, updatedAt: laterThan(current, now) }, options)
  const id = newId()
  const own = { id, valuesId: id, accountId, listId: list.id, createdAt: now, updatedAt: now, pathName }
  return withBuild(null, { ...initialIndex, ...after, ...own }, options)
}

type WrittenIndex = { planned: PlannedIndex; row: ListIndex }

function appliedChange({ planned: { change }, row }: WrittenIndex): Change {
  const build = change.build && { build: { ...change.build, buildStatus: row.buildStatus } }
  return { ...change, ...build, listId: row.listId, indexId: row.id }
}

function buildsOf(indexes: readonly WrittenIndex[]): SyncWrites['builds'] {
  return indexes
    .filter(({ planned }) => isWrite(planned.change))
    .map(({ planned, row }) => ({ before: planned.current, after: row, items: planned.change.build?.items ?? 0 }))
}

const initialList = initialValues(listFields)
const initialIndex = initialValues(indexFields)

function touchedList(
  { change, current, deletedIndexes }: PlannedList,
  indexes: readonly WrittenIndex[],
): TouchedList[] {
  const changed = indexes.filter(({ planned }) => isWrite(planned.change))
  if (!current || (!isWrite(change) && changed.length + deletedIndexes.length === 0)) return []
  const { id, configVersion } = current
  return [{ id, configVersion, mustBeEmpty: buildsOf(changed).some(isReadyAtOnce) }]
}

type Rows = Omit<SyncWrites, 'touchedLists' | 'builds' | 'events' | 'growth'>

/** The lists that were realtime before. Streams also receive the change that turns this off, and changes of the lists' indexes. */
function realtimeBefore({ lists }: Parameters<typeof listGrowth>[0]): ReadonlySet<string> {
  return new Set(lists.flatMap(({ current }) => (current?.realtime ? [current.id] : [])))
}

function* eventsOf(
  rows: Rows,
  { accountId, now, newId, realtime }: WriteOptions & { realtime: ReadonlySet<string> },
): Generator<undefined, SyncEvent[]> {
  const events: SyncEvent[] = []
  const common = () => ({ id: newId(), accountId, createdAt: now })
  function* ofLists(what: Verb, lists: readonly List[]) {
    for (const list of lists) {
      const subject = { modelId: list.id, listId: list.id, snapshot: serializeList(list) }
      const sent = (list.realtime || realtime.has(list.id)) && { realtime: true as const }
      events.push({ ...common(), stream: 'list', type: `list-${what}`, ...subject, ...sent })
      yield
    }
  }
  function* ofIndexes(what: Verb, indexes: readonly ListIndex[]) {
    for (const index of indexes) {
      const subject = { modelId: index.id, listId: index.listId, snapshot: serializeListIndex(index) }
      const sent = realtime.has(index.listId) && { realtime: true as const }
      events.push({ ...common(), stream: 'index', type: `index-${what}`, ...subject, ...sent })
      yield
    }
  }
  yield* ofLists('created', rows.newLists)
  yield* ofLists('updated', rows.changedLists)
  yield* ofIndexes('deleted', rows.deletedIndexes)
  yield* ofIndexes('created', rows.newIndexes)
  yield* ofIndexes('updated', rows.changedIndexes)
  yield* ofLists('deleted', rows.deletedLists)
  return events
}

type Verb = 'created' | 'updated' | 'deleted'
