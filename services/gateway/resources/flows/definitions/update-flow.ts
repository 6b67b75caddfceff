import type { AuthenticatedPrincipal } from '#services/gateway/request/principal.ts'
import { Conflict, retryOnConflict } from '#shared/data/conflict.ts'
import { insertEvents } from '#shared/data/events/events.ts'
import { lockFlow, writeFlow } from '#shared/data/flows/flows.ts'
import type { FlowTexts } from '#shared/domain/flow/definition.ts'
import type { FlowDefinition } from '#shared/domain/flow/fields.ts'
import type { Use } from '#shared/domain/use/use.ts'
import { assertValid, checkDocument } from './check-document.ts'
import type { FlowDefinitionDeps } from './context.ts'
import type { FlowSettings, WrittenFlow } from './create-flow.ts'
import { flowEvent } from './flow-event.ts'
import { getFlow } from './load-flow.ts'
import { unlessTaken } from './taken.ts'

type Update = {
  principal: AuthenticatedPrincipal
  flow: string
  /** What the body names of the two; the other stays, and they are checked together. */
  texts: Partial<FlowTexts>
  settings: FlowSettings
}

/**
 * Changes what the body names of a flow. Another document, or other tests, are its next version; what is kept of the texts is checked
 * again with what is new. A flow that begins to run again is checked too, but not refused: what has changed around it may change back.
 * @throws REQUESTED_ENTITY_NOT_FOUND, TOKEN_NOT_AUTHORIZED, FLOW_INVALID, FLOW_TESTS_FAILED, FLOW_NAME_TAKEN, FLOW_PATH_TAKEN,
 *   SERVICE_UNAVAILABLE
 */
export async function updateFlow(deps: FlowDefinitionDeps, update: Update): Promise<WrittenFlow> {
  const { principal, texts } = update
  const { id } = await getFlow(deps, { ...update, action: 'update' })
  // A check takes so long that those who are checked at the same time would conflict again and again.
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
  { db, now: clock, newId }: FlowDefinitionDeps,
  { principal, settings }: Update,
  { before, changed, uses }: { before: FlowDefinition; changed: Partial<FlowDefinition>; uses: readonly Use[] | null },
): Promise<FlowDefinition> {
  const { accountId, actor } = principal
  const now = clock()
  const eventId = newId()
  const named = { ...before, ...changed }
  return unlessTaken(db, named, () =>
    db.transaction(async (tx) => {
      const locked = await lockFlow(tx, { accountId, flowId: before.id })
      // What was checked is no longer what would be kept.
      if (locked?.version !== before.version) throw new Conflict('flow')
      const version = 'document' in changed ? before.version + 1 : before.version
      const after = { ...locked, ...settings, ...changed, version, updatedAt: now }
      await writeFlow(tx, { before: locked, after, uses })
      await insertEvents(tx, [flowEvent('flow-updated', after, { id: eventId, actor, now })])
      return after
    }),
  )
}
