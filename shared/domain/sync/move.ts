import { ownTags } from '../list/scope.ts'
import { type Change, type ChangeError, changeError, fieldChanges, settingsAfter } from './change.ts'
import { indexSettings, type PlannedIndex } from './index-plan.ts'
import { listSettings, type PlannedList } from './list-plan.ts'
import type { SyncPlan } from './schema-sync.ts'
import type { CurrentList } from './state.ts'

export const moveActions = ['move', 'assign', 'release', 'no-change', 'error'] as const
export type MoveAction = (typeof moveActions)[number]

/** One line of a move's report (contract 2.4). */
export type MoveChange = Omit<Change, 'action'> & { action: MoveAction }

export type MoveSummary = { move: number; assign: number; release: number; noChange: number; error: number }

/** The plan for moving lists to a scope. */
export type MovePlan = SyncPlan & {
  /** Each list followed by its indexes. */
  changes: Change[]
  blockedBy: ChangeError | null
}

/**
 * Plans to move lists to a scope, each with the indexes that its scope manages. An unmanaged index stays unmanaged, as when a document with
 * a scope adopts its list. Takes long for many lists, so it yields after each.
 * @param lists in the order of the report
 * @param missing names or ids that no list of the account has
 * @param scope null: the lists become unmanaged
 */
export function* planMove(
  lists: readonly CurrentList[],
  missing: readonly string[],
  scope: string | null,
): Generator<undefined, MovePlan> {
  const planned: PlannedList[] = []
  for (const current of lists) {
    planned.push(moveList(current, scope))
    yield
  }
  const changes: Change[] = [
    ...planned.flatMap(({ change, indexes }) => [change, ...indexes.map((index) => index.change)]),
    ...missing.map((list): Change => ({ resourceType: 'list', list, action: 'error', errors: [notFound] })),
  ]
  const hasErrors = changes.some(({ action }) => action === 'error')
  const blockedBy = hasErrors ? changeError('SCHEMA_SYNC_MOVE_HAS_ERRORS') : null
  return { lists: planned, deletedLists: [], changes, blockedBy }
}

const notFound = changeError('REQUESTED_ENTITY_NOT_FOUND', 'There is no such list.')

function moveList({ list, indexes }: CurrentList, scope: string | null): PlannedList {
  const before = listSettings(list)
  const after = settingsAfter(before, { tags: ownTags(list.tags, list.scope) }, scope)
  const errors = list.readonly && list.scope !== scope ? [changeError('LIST_READONLY')] : []
  const subject = { resourceType: 'list', list: list.pathName, listId: list.id } as const
  const managed = list.scope === null ? [] : indexes.filter((index) => index.scope === list.scope)
  return {
    change: { ...subject, ...outcome(fieldChanges(before, after), errors) },
    current: list,
    after,
    indexes: managed.map((current): PlannedIndex => {
      const from = indexSettings(current)
      const to = settingsAfter(from, { tags: ownTags(current.tags, current.scope) }, scope)
      const change = { ...subject, resourceType: 'index', index: current.pathName, indexId: current.id } as const
      const moved = { ...change, ...outcome(fieldChanges(from, to), errors) }
      return { change: moved, pathName: current.pathName, current, after: to, destructive: false }
    }),
    deletedIndexes: [],
    guarded: indexes.some(({ guard }) => guard),
  }
}

function outcome(
  fields: NonNullable<Change['fields']>,
  errors: ChangeError[],
): Pick<Change, 'action' | 'fields' | 'errors'> {
  if (errors.length > 0) return { action: 'error', errors }
  return Object.keys(fields).length > 0 ? { action: 'update', fields } : { action: 'no-change' }
}

/** A change as a move reports it. */
export function moveChange({ action, ...change }: Change): MoveChange {
  if (action === 'error' || action === 'no-change') return { ...change, action }
  const { from = null, to = null } = change.fields?.scope ?? {}
  return { ...change, action: from === null ? 'assign' : to === null ? 'release' : 'move' }
}

export function moveSummary(changes: readonly MoveChange[]): MoveSummary {
  const count = (action: MoveAction) => changes.filter((change) => change.action === action).length
  return {
    move: count('move'),
    assign: count('assign'),
    release: count('release'),
    noChange: count('no-change'),
    error: count('error'),
  }
}
