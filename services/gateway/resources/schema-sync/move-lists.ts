import { isId } from '#shared/domain/id.ts'
import { pathNameKey } from '#shared/domain/path-name.ts'
import type { ChangeError } from '#shared/domain/sync/change.ts'
import { type MoveChange, type MoveSummary, moveChange, moveSummary, planMove } from '#shared/domain/sync/move.ts'
import type { CurrentList } from '#shared/domain/sync/state.ts'
import { byKey } from '#shared/json/by-key.ts'
import { inTimeSlices } from '#shared/time/time-slices.ts'
import type { AuthenticatedPrincipal } from '../../request/principal.ts'
import { runPlanned } from './apply-plan.ts'
import type { SchemaSyncDeps } from './context.ts'

/** Which lists get which scope: the named ones, or those of a scope. */
export type MoveBody = { scope: string | null; lists?: string[]; fromScope?: string }

export type MoveOptions = { principal: AuthenticatedPrincipal; requestId: string; dryRun: boolean }

/** The response of `POST /sync-schema/move` (contract 2.4). */
export type MoveReport = {
  moveId: string
  dryRun: boolean
  applied: boolean
  scope: string | null
  summary: MoveSummary
  changes: MoveChange[]
  warnings: string[]
  blockedBy: ChangeError | null
}

/**
 * Moves lists to a scope, or to none, with the indexes that their scope manages; all or nothing.
 * @throws TOKEN_NOT_AUTHORIZED, SERVICE_UNAVAILABLE
 */
export async function moveLists(deps: SchemaSyncDeps, body: MoveBody, options: MoveOptions): Promise<MoveReport> {
  const { principal, requestId, dryRun } = options
  const { accountId } = principal
  const { scope, lists: refs = [], fromScope = null } = body
  const moveId = deps.newId()
  const pathKeys = refs.map(pathNameKey)
  const report = await runPlanned(deps, {
    principal,
    dryRun,
    lists: { accountId, pathKeys, ids: pathKeys.filter(isId), managedBy: fromScope },
    planOf(current) {
      const visible = [...current].filter(([, { list }]) => list.activated || principal.mode === 'user')
      const { lists, missing } = fromScope === null ? namedLists(visible, refs) : listsOf(visible, fromScope)
      return inTimeSlices(planMove(lists, missing, scope))
    },
    isToApply: ({ blockedBy }) => blockedBy === null,
    reportOf({ changes, lists, blockedBy }, applied): MoveReport {
      const moved = (applied ?? changes).map(moveChange)
      const warnings = fromScope !== null && lists.length === 0 ? [`The scope ${fromScope} manages no list.`] : []
      const outcome = { moveId, dryRun, applied: applied !== null, scope }
      return { ...outcome, summary: moveSummary(moved), changes: moved, warnings, blockedBy }
    },
  })
  deps.log('schema_sync.moved', { requestId, moveId, accountId, dryRun, applied: report.applied, ...report.summary })
  return report
}

type Found = { lists: CurrentList[]; missing: string[] }

/** In the order of the references, each list once; an id takes precedence over a path name that looks like one. */
function namedLists(current: readonly (readonly [string, CurrentList])[], refs: readonly string[]): Found {
  const byKey = new Map(current)
  const byId = new Map(current.map(([, found]) => [found.list.id, found]))
  const found = refs.map((ref) => byId.get(pathNameKey(ref)) ?? byKey.get(pathNameKey(ref)))
  return {
    lists: [...new Set(found.filter((list) => list !== undefined))],
    missing: refs.filter((_ref, position) => found[position] === undefined),
  }
}

/** In the order of their path names. */
function listsOf(current: readonly (readonly [string, CurrentList])[], scope: string): Found {
  const managed = current.filter(([, { list }]) => list.scope === scope)
  return { lists: managed.toSorted(byKey).map(([, found]) => found), missing: [] }
}
