import { LinkButton } from '../../parts/controls/button.tsx'
import { Page } from '../../parts/page/page.tsx'
import { Deliveries } from './deliveries.tsx'

/** The deliveries to all webhooks. */
export function DeliveriesPage() {
  return (
    <Page
      title="Deliveries"
      lead="Deliveries to all webhooks, newest first."
      actions={<LinkButton to="/webhooks">Webhooks</LinkButton>}
    >
      <Deliveries />
    </Page>
  )
}
