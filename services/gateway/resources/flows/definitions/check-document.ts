import { isAllowed } from '#services/gateway/auth/authorize.ts'
import type { AuthenticatedPrincipal } from '#services/gateway/request/principal.ts'
import type { FlowTask } from '#services/gateway/validation/messages.ts'
import { findListsByPathName, readIndexesOf } from '#shared/data/lists/lists.ts'
import { readWebhooks } from '#shared/data/webhooks/webhooks.ts'
import type { FlowChecked, FlowTexts, KnownList } from '#shared/domain/flow/definition.ts'
import { namedBy } from '#shared/domain/flow/language/named.ts'
import { flowDocumentLimits } from '#shared/domain/limits.ts'
import type { List } from '#shared/domain/list/fields.ts'
import { pathNameKey } from '#shared/domain/path-name.ts'
import { maxItemBytes } from '#shared/domain/plan/plan.ts'
import { AppError, validationFailed } from '#shared/errors.ts'
import type { FlowDefinitionDeps } from './context.ts'

type CheckDeps = Pick<FlowDefinitionDeps, 'db' | 'config' | 'backgroundValidator'>

/**
 * Checks a document and its tests against the lists and webhooks of the account that the principal may see. The tests are run in
 * memory if neither text has an error.
 * @param stepsOf the name of a test whose steps are returned
 * @throws VALIDATION_FAILED when no test that was run has the name in `stepsOf`; SERVICE_UNAVAILABLE when the thread is busy or could not finish
 */
export async function checkDocument(
  deps: CheckDeps,
  {
    principal,
    document,
    tests,
    stepsOf = null,
  }: FlowTexts & { principal: AuthenticatedPrincipal; stepsOf?: string | null },
): Promise<FlowChecked> {
  const named = namedBy(JSON.parse(document))
  const lists = await seenLists(deps, principal, named.lists)
  const task: FlowTask = {
    kind: 'flow',
    document,
    tests,
    stepsOf,
    // A valid document has no more nodes than this; further lists that a longer one names are not looked up.
    unchecked: named.lists.slice(flowDocumentLimits.maxNodes),
    lists,
    webhooks: await knownWebhooks(deps, principal, named.webhooks),
    maxItemBytes: maxItemBytes(deps.config.items.maxBytes, principal.limits),
  }
  const checked = (await deps.backgroundValidator.run(principal.accountId, task)) as FlowChecked
  const isUnknown = stepsOf !== null && !checked.tests.some(({ name }) => name === stepsOf)
  // Texts with errors have no tests that could be run: the diagnostics say why.
  if (isUnknown && checked.diagnostics.every(({ severity }) => severity !== 'error'))
    throw validationFailed([{ path: 'stepsOf', message: 'is not the name of a test' }])
  return checked
}

/** The stored form of valid texts, and the warnings about them. */
export type ValidTexts = NonNullable<FlowChecked['kept']> & Pick<FlowChecked, 'diagnostics'>

/** The same for texts that are to be saved. @throws FLOW_INVALID, FLOW_TESTS_FAILED, and the errors of `checkDocument` */
export async function assertValid(
  deps: CheckDeps,
  texts: FlowTexts & { principal: AuthenticatedPrincipal },
): Promise<ValidTexts> {
  const { kept, diagnostics, tests } = await checkDocument(deps, texts)
  if (!kept || diagnostics.some(({ severity }) => severity === 'error'))
    throw new AppError('FLOW_INVALID', { details: { diagnostics } })
  const failures = tests.filter(({ passed }) => !passed).map(({ passed: _failed, ...failure }) => failure)
  if (failures.length > 0) throw new AppError('FLOW_TESTS_FAILED', { details: { failures } })
  return { ...kept, diagnostics }
}

async function seenLists(
  { db }: CheckDeps,
  principal: AuthenticatedPrincipal,
  keys: readonly string[],
): Promise<KnownList[]> {
  const { accountId } = principal
  const found = await findListsByPathName(db, { accountId, keys: keys.slice(0, flowDocumentLimits.maxNodes) })
  const seen = found.filter((list) => maySee(principal, list))
  const indexes = await readIndexesOf(db, { accountId, listIds: seen.map(({ id }) => id) })
  const byList = Map.groupBy(indexes, ({ listId }) => listId)
  return seen.map((list) => ({
    key: pathNameKey(list.pathName),
    list: { id: list.id, accountId, readonly: list.readonly },
    schema: list.schema,
    indexes: byList.get(list.id) ?? [],
  }))
}

function maySee(principal: AuthenticatedPrincipal, { id: listId, activated }: List): boolean {
  return (
    principal.mode === 'user' || (activated && isAllowed(principal, { action: 'view', resourceType: 'list', listId }))
  )
}

/** Tokens see no webhooks: otherwise a check would reveal which ids are webhooks. */
async function knownWebhooks(
  { db }: CheckDeps,
  { mode, accountId }: AuthenticatedPrincipal,
  ids: readonly string[],
): Promise<FlowTask['webhooks']> {
  if (mode === 'token') return 'unseen'
  return ids.length === 0 ? [] : (await readWebhooks(db, accountId)).map(({ id }) => id)
}
