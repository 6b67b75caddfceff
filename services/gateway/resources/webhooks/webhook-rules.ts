import type { Probe, ProbeAnswer } from '#shared/bus/subjects.ts'
import { existingListIds } from '#shared/data/lists/lists.ts'
import { webhookUrlError } from '#shared/domain/webhook/url.ts'
import { AppError, validationFailed } from '#shared/errors.ts'
import { parseCidr } from '#shared/net/address.ts'
import type { Deps } from '../../context.ts'

/** The probe connects with a deadline of 5 s of its own; this is the patience for its answer. */
const probeTimeoutMs = 8_000

/**
 * Refuses a url that has no acceptable form, leads to a place that is not public, or does not answer (contract 2.7).
 * @throws WEBHOOK_URL_REFUSED with `details.reason`; SERVICE_UNAVAILABLE when nobody can try it now
 */
export async function assertUrlAllowed(
  deps: Deps,
  { url, requestId }: { url: string; requestId: string },
): Promise<void> {
  const allowed = deps.config.webhooks.allowCidrs.map(parseCidr).filter((block) => block !== null)
  const reason = webhookUrlError(url, allowed)
  if (reason) throw urlRefused(reason)
  const probe: Probe = { url }
  const options = { timeoutMs: probeTimeoutMs, requestId }
  const { refused } = await deps.bus.request<ProbeAnswer>('dispatcher.probe', probe, options)
  if (refused) throw urlRefused(refused)
}

function urlRefused(reason: string): AppError {
  return new AppError('WEBHOOK_URL_REFUSED', { details: { reason } })
}

/**
 * Refuses ids that are no lists of the account.
 * @param options.known ids the webhook has already: a list may have been deleted since, and its id stays
 */
export async function assertListsExist(
  deps: Deps,
  { accountId, listIds, known = [] }: { accountId: string; listIds: readonly string[]; known?: readonly string[] },
): Promise<void> {
  const found = await existingListIds(deps.db, { accountId, ids: listIds })
  const errors = listIds.flatMap((id, position) =>
    found.has(id) || known.includes(id)
      ? []
      : [{ path: `listIds.${position}`, message: 'is not a list of this account' }],
  )
  if (errors.length > 0) throw validationFailed(errors)
}

/** Refuses a webhook beyond those of the account's price plan. */
export function assertWithinPlan(
  { config }: Pick<Deps, 'config'>,
  { plan, count }: { plan: string; count: number },
): void {
  const max = config.plans[plan]?.maxWebhooks ?? null
  if (max !== null && count >= max) throw new AppError('WEBHOOK_LIMIT_REACHED', { details: { plan, max } })
}
