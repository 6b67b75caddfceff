import type { Probe, ProbeAnswer, ProbeFailure } from '#shared/bus/messages/dispatcher.ts'
import { existingListIds } from '#shared/data/lists/lists.ts'
import { type FixedHeaders, fixedHeaderErrors } from '#shared/domain/webhook/deliveries/headers.ts'
import { type UrlRules, urlRulesOf, webhookUrlError } from '#shared/domain/webhook/url.ts'
import { AppError, errorPath, validationFailed } from '#shared/errors.ts'
import type { WebhookDeps } from './context.ts'

/** How long to wait for a probe: it waits up to 2 s for its turn, and then has a deadline of 5 s. */
const probeTimeoutMs = 8_000

/**
 * Rejects a URL that has an invalid form, resolves to an address that is not allowed, or whose host accepts no connection, or has
 * no valid certificate (contract 2.7).
 * @throws WEBHOOK_URL_REFUSED with `details.reason`; SERVICE_UNAVAILABLE when no dispatcher can probe it now, or too many
 *   probes wait, of the account or in all
 */
export async function assertUrlAllowed(
  deps: WebhookDeps,
  { accountId, url, requestId }: Probe & { requestId: string },
): Promise<void> {
  const rules = urlRulesOf(deps.config.webhooks)
  const reason = webhookUrlError(url, rules)
  if (reason) throw urlError(reason, rules)
  const probe: Probe = { accountId, url }
  const options = { timeoutMs: probeTimeoutMs, requestId }
  const { refused } = await deps.bus.request<ProbeAnswer>('dispatcher.probe', probe, options)
  if (refused) throw urlError(refused, rules)
}

function urlError(reason: ProbeFailure, { allowHttp }: UrlRules): AppError {
  const why = reason === 'invalid' ? invalid(allowHttp ? '443 (of http:// 80)' : '443') : problems[reason]
  return new AppError('WEBHOOK_URL_REFUSED', { message: `The webhook URL ${why}.`, details: { reason } })
}

const invalid = (ports: string) =>
  `is not accepted: it needs a host name or an address, port ${ports} or 1024 to 65535, no user name, fragment or white space, and at most 2,048 characters`

/** The other reasons to reject a URL, with the settings by which an operator can allow more (contract 2.7). */
const problems: Readonly<Record<Exclude<ProbeFailure, 'invalid'>, string>> = {
  'not-https':
    'must begin with https://; the operator can allow http:// to the networks of webhooks.allowCidrs with webhooks.allowHttp (LISTD_WEBHOOKS_ALLOW_HTTP)',
  'private-address':
    'resolves to an address that is not public; the operator can allow networks with webhooks.allowCidrs (LISTD_WEBHOOKS_ALLOW_CIDRS)',
  unresolvable: 'has a host name that cannot be resolved',
  unreachable: 'names a host that did not accept a connection in time',
  tls: 'names a host without a valid certificate; the operator can trust a certificate authority with webhooks.caFile (LISTD_WEBHOOKS_CA_FILE)',
}

/**
 * Rejects ids that are not lists of the account.
 * @param options.known ids that the webhook already has: such a list may have been deleted, but its id stays
 * @throws VALIDATION_FAILED
 */
export async function assertListsExist(
  deps: WebhookDeps,
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

/** Rejects fixed headers that a webhook cannot have. @throws VALIDATION_FAILED */
export function assertHeadersAllowed({ config }: Pick<WebhookDeps, 'config'>, headers: FixedHeaders): void {
  const errors = fixedHeaderErrors(headers, config.webhooks.headerPrefix)
  if (errors.length === 0) return
  throw validationFailed(
    errors.map(({ name, message }) => ({ path: name === null ? 'headers' : errorPath('headers', name), message })),
  )
}

/** Rejects one more webhook than the account's price plan allows. @throws WEBHOOK_LIMIT_REACHED */
export function assertWithinPlan(
  { config }: Pick<WebhookDeps, 'config'>,
  { plan, count }: { plan: string; count: number },
): void {
  const max = config.plans[plan]?.maxWebhooks ?? null
  if (max !== null && count >= max) throw new AppError('WEBHOOK_LIMIT_REACHED', { details: { plan, max } })
}
