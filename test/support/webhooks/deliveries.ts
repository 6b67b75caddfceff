import { until } from '../assertions/until.ts'
import type { ApiAnswer } from '../http/api.ts'
import type { Scene, SceneWebhook } from './scene.ts'
import { webhookCalls } from './webhook-calls.ts'

/** Retries so soon that a delivery fails permanently within moments. */
export const quickRetries = { LISTD_WEBHOOKS_RETRY_SECONDS: Array(7).fill('0.01').join(',') }

/** The calls about a webhook's deliveries, as the account's user. */
export function deliveriesOf({ listd }: Scene, { id }: SceneWebhook) {
  return webhookCalls((method, path, body) => listd.user(method, path, { body }), id)
}

/** Waits until the API reports this total for a query of deliveries. */
export async function untilTotal(
  list: (query: string) => Promise<ApiAnswer>,
  query: string,
  total: number,
): Promise<void> {
  const look = async () => {
    const { json, text } = await list(query)
    return json.total === total || text
  }
  await until(look, { what: `${total} deliveries of ${query}` })
}

/** Waits until failures have disabled the webhook and all deliveries created in the meantime wait for it. */
export async function untilDisabled(
  { webhook }: Pick<ReturnType<typeof deliveriesOf>, 'webhook'>,
  { waitingCount }: { waitingCount: number },
): Promise<void> {
  const isDisabled = async () => {
    const { json } = await webhook()
    return json.activated === false && json.waitingCount === waitingCount
  }
  await until(isDisabled, { withinMs: 60_000, what: `a disabled webhook for which ${waitingCount} wait` })
}
