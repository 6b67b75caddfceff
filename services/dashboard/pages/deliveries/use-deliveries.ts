import type { CursorPage } from '#client/src/pages.ts'
import type { Delivery } from '#client/src/types/user-resources.ts'
import type { DeliveriesOptions, DeliveriesWhere } from '#client/src/webhooks.ts'
import { here } from '../../address/location.ts'
import { account } from '../../api/client.ts'
import { pollMs } from '../../api/hinted.ts'
import type { Resource } from '../../api/reader.ts'
import { useResource } from '../../api/resource.ts'
import { spanStart } from '../../parts/spans.ts'
import type { DeliveryView } from './delivery-view.ts'

const pageSize = 50
const everyMs = 5_000

/** The key to pass to `refresh` after a delivery was created or sent again. */
export const deliveriesKey = 'deliveries'

/** The page of deliveries from the address, newest first. It is polled while some of them are pending. */
export function useDeliveries(view: DeliveryView): Resource<CursorPage<Delivery>> {
  const after = here.value.query.get('after') ?? ''
  const key = `${deliveriesKey} ${JSON.stringify(view)} ${after}`
  return useResource(key, (signal) => account.webhooks.allDeliveries(optionsOf(view, signal)).after(after), {
    everyMs: ({ data }) => (data.some(({ status }) => status === 'pending') ? pollMs(everyMs) : null),
  })
}

function optionsOf(
  { since, ...where }: DeliveryView,
  signal: AbortSignal,
): DeliveriesOptions<DeliveriesWhere & { webhookId?: string }> {
  return { where, startAt: spanStart(since, Date.now()), limit: pageSize, signal }
}
