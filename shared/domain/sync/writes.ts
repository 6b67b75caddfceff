import { initialValues } from '../fields/values.ts'
import { type List, listFields, serializeList } from '../list/fields.ts'
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
  events: SyncEvent[]
}

/** `mustBeEmpty`: the changes to its indexes are valid only while the list holds no items. */
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
    planned.indexes.map((index) => ({ planned: index, row: indexAfter(index, row.id, options) })),
  )
  const indexes = indexesOf.flat()
  const rows = {
    newLists: rowsOf(lists, isCreation),
    changedLists: rowsOf(lists, isUpdate),
    newIndexes: rowsOf(indexes, isCreation),
    changedIndexes: rowsOf(indexes, isUpdate),
  }
  const writes = { ...rows, touchedLists: plan.lists.flatMap(touchedList), events: eventsOf(rows, options) }
  const changes = lists.flatMap(({ planned, row }, position) => [
    { ...planned.change, listId: row.id },
    ...(indexesOf[position] ?? []).map((index) => ({ ...index.planned.change, listId: row.id, indexId: index.row.id })),
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

function indexAfter(planned: PlannedIndex, listId: string, { accountId, now, newId }: WriteOptions): ListIndex {
  const { current, pathName, after } = planned
  if (current) return { ...current, ...after, updatedAt: now }
  return { ...initialIndex, ...after, id: newId(), accountId, listId, createdAt: now, updatedAt: now, pathName }
}

const initialList = initialValues(listFields)
const initialIndex = initialValues(indexFields)

function touchedList({ change, current, indexes }: PlannedList): TouchedList[] {
  const changed = indexes.filter((index) => isWrite(index.change))
  if (!current || (!isWrite(change) && changed.length === 0)) return []
  const { id, configVersion } = current
  return [{ id, configVersion, mustBeEmpty: changed.some(({ build }) => build !== null) }]
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
