import { isAllowed } from '#services/gateway/auth/authorize.ts'
import { notFoundOrForbidden } from '#services/gateway/auth/not-found.ts'
import type { AuthenticatedPrincipal } from '#services/gateway/request/principal.ts'
import { assertRoomInAccount } from '#shared/data/accounts/account-limits.ts'
import { Conflict, retryOnConflict } from '#shared/data/conflict.ts'
import type { Database } from '#shared/data/database.ts'
import { isUniqueViolation } from '#shared/data/database-errors.ts'
import { announcing, insertEvents, type LoggedEvent } from '#shared/data/events/events.ts'
import { findFlowByName, insertFlow, lockFlow, removeFlow, writeFlow } from '#shared/data/flows/flows.ts'
import type { Actor } from '#shared/domain/actor.ts'
import { initialValues } from '#shared/domain/fields/values.ts'
import type { FlowChecked, FlowTexts } from '#shared/domain/flow/definition.ts'
import { type FlowDefinition, flowFields, serializeFlowSettings } from '#shared/domain/flow/fields.ts'
import { laterThan } from '#shared/domain/later-than.ts'
import type { Use } from '#shared/domain/use/use.ts'
import { AppError } from '#shared/errors.ts'
import { assertValid, checkDocument } from './check-document.ts'
import type { FlowDefinitionDeps } from './context.ts'
import { getFlow } from './load-flow.ts'

/** A flow after a write, and the findings in its texts: warnings, and for texts that had been saved before also errors. */
export type WrittenFlow = { flow: FlowDefinition } & Pick<FlowChecked, 'diagnostics'>

type FlowSettings = Partial<Pick<FlowDefinition, 'activated' | 'logged'>>

/**
 * Creates a flow if its document has no errors and its tests pass.
 * @throws TOKEN_NOT_AUTHORIZED, FLOW_INVALID, FLOW_TESTS_FAILED, MAX_FLOWS_EXCEEDED, FLOW_NAME_TAKEN, FLOW_PATH_TAKEN, SERVICE_UNAVAILABLE
 */
export async function createFlow(
  deps: FlowDefinitionDeps,
  { principal, texts, settings }: { principal: AuthenticatedPrincipal; texts: FlowTexts; settings: FlowSettings },
): Promise<WrittenFlow> {
  // A rule that names flows cannot name one that does not exist yet.
  if (!isAllowed(principal, { action: 'create', resourceType: 'flow' })) throw new AppError('TOKEN_NOT_AUTHORIZED')
  const { accountId, actor, limits } = principal
  const { fields, uses, diagnostics } = await assertValid(deps, { principal, ...texts })
  const now = deps.now()
  const own = { id: deps.newId(), accountId, createdAt: now, updatedAt: now }
  const flow = { ...initialValues(flowFields), ...settings, ...texts, ...fields, ...own }
  const event = flowEvent('flow-created', flow, { id: deps.newId(), actor, now })
  await unlessTaken(deps.db, flow, () =>
    announcing(deps).transaction(async (tx) => {
      await assertRoomInAccount(tx, { accountId, limit: 'maxFlows', added: 1, max: limits?.maxFlows ?? null })
      await insertFlow(tx, flow, uses)
      await insertEvents(tx, [event])
    }),
  )
  return { flow, diagnostics }
}

type Update = {
  principal: AuthenticatedPrincipal
  flow: string
  /** Whichever of the two the body contains; the other stays, and they are checked together. */
  texts: Partial<FlowTexts>
  settings: FlowSettings
}

/**
 * Changes the fields of a flow that the body names. Another document, or other tests, become its next version: both texts are then
 * checked together. A flow that is activated again is checked too, but not rejected: the changes in the account that cause errors may
 * be reverted.
 * @throws REQUESTED_ENTITY_NOT_FOUND, TOKEN_NOT_AUTHORIZED, FLOW_INVALID, FLOW_TESTS_FAILED, FLOW_NAME_TAKEN, FLOW_PATH_TAKEN,
 *   SERVICE_UNAVAILABLE
 */
export async function updateFlow(deps: FlowDefinitionDeps, update: Update): Promise<WrittenFlow> {
  const { principal, texts } = update
  const { id } = await getFlow(deps, { ...update, action: 'update' })
  // A check takes so long that concurrent updates of the flow would conflict again and again.
  using _section = await deps.exclusive([`flow/${id}`])
  return await retryOnConflict('flow', async () => {
    const before = await getFlow(deps, { ...update, action: 'update' })
    const next: FlowTexts = { document: before.document, tests: before.tests, ...texts }
    const isSame = next.document === before.document && next.tests === before.tests
    if (!isSame) {
      const { fields, uses, diagnostics } = await assertValid(deps, { principal, ...next })
      return { flow: await write(deps, update, { before, changed: { ...next, ...fields }, uses }), diagnostics }
    }
    const begins = update.settings.activated === true && !before.activated
    const { diagnostics } = begins ? await checkDocument(deps, { principal, ...next }) : { diagnostics: [] }
    return { flow: await write(deps, update, { before, changed: {}, uses: null }), diagnostics }
  })
}

function write(
  deps: FlowDefinitionDeps,
  { principal, settings }: Update,
  { before, changed, uses }: { before: FlowDefinition; changed: Partial<FlowDefinition>; uses: readonly Use[] | null },
): Promise<FlowDefinition> {
  const { accountId, actor } = principal
  const [now, eventId] = [deps.now(), deps.newId()]
  const named = { ...before, ...changed }
  return unlessTaken(deps.db, named, () =>
    announcing(deps).transaction(async (tx) => {
      const locked = await lockFlow(tx, { accountId, flowId: before.id })
      // The checked texts are no longer the ones that would be stored.
      if (locked?.version !== before.version) throw new Conflict('flow')
      const version = 'document' in changed ? before.version + 1 : before.version
      const after = { ...locked, ...settings, ...changed, version, updatedAt: laterThan(locked, now) }
      await writeFlow(tx, { before: locked, after, uses })
      await insertEvents(tx, [flowEvent('flow-updated', after, { id: eventId, actor, now })])
      return after
    }),
  )
}

/**
 * Deletes a flow with its versions. Its name and path can be used again at once. Its runs are deleted in the background (`flow-purge.ts`).
 * @throws REQUESTED_ENTITY_NOT_FOUND, TOKEN_NOT_AUTHORIZED
 */
export async function deleteFlow(
  deps: FlowDefinitionDeps,
  { principal, flow: ref }: { principal: AuthenticatedPrincipal; flow: string },
): Promise<void> {
  const { accountId, actor } = principal
  const key = { accountId, flowId: (await getFlow(deps, { principal, flow: ref, action: 'delete' })).id }
  const [now, eventId] = [deps.now(), deps.newId()]
  await announcing(deps).transaction(async (tx) => {
    const flow = await lockFlow(tx, key)
    if (!flow) throw notFoundOrForbidden(principal, 'delete', 'flow')
    await removeFlow(tx, key, await tx.now())
    await insertEvents(tx, [flowEvent('flow-deleted', flow, { id: eventId, actor, now })])
  })
}

/** Writes a flow. @throws FLOW_NAME_TAKEN, FLOW_PATH_TAKEN, and the errors of `write` */
async function unlessTaken<T>(
  db: Database,
  flow: Pick<FlowDefinition, 'id' | 'accountId' | 'name'>,
  write: () => Promise<T>,
): Promise<T> {
  try {
    return await write()
  } catch (error) {
    if (!isUniqueViolation(error)) throw error
    const named = await findFlowByName(db, flow)
    throw new AppError(named && named.id !== flow.id ? 'FLOW_NAME_TAKEN' : 'FLOW_PATH_TAKEN')
  }
}

/** The event log's entry for a change of a flow; its snapshot leaves out the document and the tests, which the versions have. */
function flowEvent(
  type: 'flow-created' | 'flow-updated' | 'flow-deleted',
  flow: FlowDefinition,
  { id, actor, now }: { id: string; actor: Actor; now: number },
): LoggedEvent {
  return {
    id,
    accountId: flow.accountId,
    createdAt: now,
    stream: 'flow',
    type,
    modelId: flow.id,
    listId: null,
    actor,
    snapshot: serializeFlowSettings(flow),
  }
}
