import { useState } from 'preact/hooks'
import type { Delivery, Webhook } from '../../../../client/src/user-resources.ts'
import { here, navigate } from '../../address/location.ts'
import { withQuery } from '../../address/pattern.ts'
import { Button } from '../../parts/button.tsx'
import { Empty, Loaded } from '../../parts/problem.tsx'
import { DeliveryBar } from './delivery-bar.tsx'
import { DeliveryPane } from './delivery-pane.tsx'
import { DeliveryTable } from './delivery-table.tsx'
import { isFiltered, readView } from './delivery-view.ts'
import { ResendDialog } from './resend-dialog.tsx'
import { StatsCards } from './stats-cards.tsx'
import { useDeliveries } from './use-deliveries.ts'

/** The deliveries of a webhook, or of all webhooks: filters, a page of them, and one in detail beside it. */
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
                <NoDeliveries isFiltered={isFiltered(view)} hasMore={next !== null} />
              )}
              <Turn next={next} />
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

function NoDeliveries({ isFiltered, hasMore }: { isFiltered: boolean; hasMore: boolean }) {
  if (hasMore) return <Empty title="None so far">There are more to look through: go on to the older ones.</Empty>
  if (isFiltered) return <Empty title="Nothing matches">No delivery meets all of these conditions.</Empty>
  return (
    <Empty title="Nothing was sent yet">
      Each event of an item is a delivery here: what was sent, what was answered, and what happens next.
    </Empty>
  )
}

function Turn({ next }: { next: string | null }) {
  const { query } = here.value
  const isFirst = !query.has('after')
  if (isFirst && next === null) return null
  const go = (after: string | null) => navigate(withQuery(here.value, { after, delivery: null, of: null }))
  return (
    <div class="row pad">
      <Button kind="quiet" disabled={isFirst} onPress={() => go(null)}>
        Newest
      </Button>
      <Button disabled={next === null} onPress={() => go(next)}>
        Older
      </Button>
    </div>
  )
}
