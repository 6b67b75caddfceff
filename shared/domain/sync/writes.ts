import { initialValues } from '../fields/values.ts'
import { type List, listFields, serializeList } from '../list/fields.ts'
import { type IndexChange, isReadyAtOnce, withBuild } from '../list/index-build.ts'
import { indexFields, type ListIndex, serializeListIndex } from '../list/index-fields.ts'
import type { Change } from './change.ts'
import type { PlannedIndex } from './index-plan.ts'
import type { PlannedList } from './list-plan.ts'
import type { Plan } from './schema-sync.ts'

/** Everything that applying a plan writes, as values. */
export type SyncWrites = {
  newLists: List[]
  changedLists: List[]
  /** Every existing list that is changed, itself or in its indexes, with the version that the plan was made for. */
  touchedLists: TouchedList[]
  newIndexes: ListIndex[]
  changedIndexes: ListIndex[]
  /** The indexes whose builds start, end or go on, each with the number of items in its list. */
  builds: (IndexChange & { items: number })[]
  events: SyncEvent[]
}

/** `mustBeEmpty`: an index is marked as ready without a build, which is right only while the list holds no items. */
export type TouchedList = { id: string; configVersion: number; mustBeEmpty: boolean }

export type SyncEvent = {
  id: string
  accountId: string
  /** Epoch milliseconds. */
  createdAt: number
  stream: 'list' | 'index'
  type: 'list-created' | 'list-updated' | 'index-created' | 'index-updated'
  modelId: string
  listId: string
  /** JSON text of the list or index after the change. */
  snapshot: string
}

export type WriteOptions = {
  accountId: string
  /** Epoch milliseconds, the time of every row. */
  now: number
  newId(): string
}

/**
 * The rows that applying a plan writes, and its changes with the ids of what it creates. The plan must not be blocked.
 */
export function syncWrites(plan: Plan, options: WriteOptions): { writes: SyncWrites; changes: Change[] } {
  const lists = plan.lists.map((planned) => ({ planned, row: listAfter(planned, options) }))
  const indexesOf = lists.map(({ planned, row }) =>
    planned.indexes.map((index) => ({ planned: index, row: indexAfter(index, row, options) })),
  )
  const indexes = indexesOf.flat()
  const rows = {
    newLists: rowsOf(lists, isCreation),
    changedLists: rowsOf(lists, isUpdate),
    newIndexes: rowsOf(indexes, isCreation),
    changedIndexes: rowsOf(indexes, isUpdate),
  }
  const touchedLists = lists.flatMap(({ planned }, position) => touchedList(planned, indexesOf[position] ?? []))
  const writes = { ...rows, touchedLists, builds: buildsOf(indexes), events: eventsOf(rows, options) }
  const changes = lists.flatMap(({ planned, row }, position) => [
    { ...planned.change, listId: row.id },
    ...(indexesOf[position] ?? []).map((index) => appliedChange(index)),
  ])
  return { writes, changes }
}

/** Whether applying the change writes something. */
export function isWrite(change: Change): boolean {
  return isCreation(change) || isUpdate(change)
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
  if (current) return { ...current, ...after, updatedAt: now }
  const own = { id: newId(), accountId, createdAt: now, updatedAt: now, pathName: change.list }
  return { ...initialList, ...after, ...own }
}

function indexAfter(planned: PlannedIndex, list: List, { accountId, now, newId }: WriteOptions): ListIndex {
  const { current, pathName, after } = planned
  const options = { items: list.itemCount, newId }
  if (current) return withBuild(current, { ...current, ...after, updatedAt: now }, options)
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

function touchedList({ change, current }: PlannedList, indexes: readonly WrittenIndex[]): TouchedList[] {
  const changed = indexes.filter(({ planned }) => isWrite(planned.change))
  if (!current || (!isWrite(change) && changed.length === 0)) return []
  const { id, configVersion } = current
  return [{ id, configVersion, mustBeEmpty: buildsOf(changed).some(isReadyAtOnce) }]
}

type Rows = Pick<SyncWrites, 'newLists' | 'changedLists' | 'newIndexes' | 'changedIndexes'>

function eventsOf(rows: Rows, { accountId, now, newId }: WriteOptions): SyncEvent[] {
  const common = () => ({ id: newId(), accountId, createdAt: now })
  const ofList = (type: 'list-created' | 'list-updated') => (list: List) => {
    const subject = { stream: 'list', type, modelId: list.id, listId: list.id, snapshot: serializeList(list) } as const
    return { ...common(), ...subject }
  }
  const ofIndex = (type: 'index-created' | 'index-updated') => (index: ListIndex) => {
    const subject = { stream: 'index', type, modelId: index.id, listId: index.listId } as const
    return { ...common(), ...subject, snapshot: serializeListIndex(index) }
  }
  return [
    ...rows.newLists.map(ofList('list-created')),
    ...rows.changedLists.map(ofList('list-updated')),
    ...rows.newIndexes.map(ofIndex('index-created')),
    ...rows.changedIndexes.map(ofIndex('index-updated')),
  ]
}
