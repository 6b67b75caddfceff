import { useState } from 'preact/hooks'
import type { Delivery, Webhook } from '#client/src/types/user-resources.ts'
import { here } from '../../address/location.ts'
import { NoneFound, Turn } from '../../parts/page/cursor-pages.tsx'
import { Empty, Loaded } from '../../parts/problems/problem.tsx'
import { DeliveryBar } from './delivery-bar.tsx'
import { DeliveryPane } from './delivery-pane.tsx'
import { DeliveryTable } from './delivery-table.tsx'
import { isFiltered, readView } from './delivery-view.ts'
import { ResendDialog } from './resend-dialog.tsx'
import { StatsCards } from './stats-cards.tsx'
import { useDeliveries } from './use-deliveries.ts'

/** The deliveries of a webhook or of all webhooks: filters, a page of rows, and the selected one in detail. */
export function Deliveries({ webhook }: { webhook?: Webhook }) {
  const view = { ...readView(here.value.query), ...(webhook && { webhookId: webhook.id }) }
  const [resends, setResends] = useState(false)
  const deliveries = useDeliveries(view)
  return (
    <>
      {webhook && <StatsCards webhook={webhook} />}
      <DeliveryBar view={view} webhook={webhook} onResend={() => setResends(true)} />
      {resends && <ResendDialog view={view} onClose={() => setResends(false)} />}
      <Loaded resource={deliveries}>
        {({ data, next }) => (
          <div class="split wide deliveries">
            <div>
              {data.length > 0 ? (
                <DeliveryTable deliveries={data} ofAll={!webhook} />
              ) : (
                <NoDeliveries isFiltered={isFiltered(view)} next={next} />
              )}
              <Turn next={next} leaves={['delivery', 'of']} />
            </div>
            <Chosen deliveries={data} webhookId={webhook?.id} />
          </div>
        )}
      </Loaded>
    </>
  )
}

/** The delivery that the address names. */
function Chosen({ deliveries, webhookId }: { deliveries: readonly Delivery[]; webhookId: string | undefined }) {
  const { query } = here.value
  const id = query.get('delivery')
  const row = deliveries.find((one) => one.id === id)
  const of = row?.webhookId ?? webhookId ?? query.get('of')
  if (id === null || of === null) return null
  return <DeliveryPane key={id} webhookId={of} id={id} status={row?.status} />
}

function NoDeliveries({ isFiltered, next }: { isFiltered: boolean; next: string | null }) {
  if (isFiltered || next !== null) return <NoneFound next={next} what="delivery" />
  return (
    <Empty title="No deliveries yet">
      Every item event that is sent to a webhook is shown here, with its request, its response, and what happens next.
    </Empty>
  )
}
