import type { Webhook } from '#client/src/types/user-resources.ts'
import { account } from '../../api/client.ts'
import { DeleteSection } from '../../forms/delete-section.tsx'
import { countOf } from '../../parts/display/text.tsx'
import { DeletionWarnings } from '../../parts/problems/warnings.tsx'
import { webhookName } from './webhook-health.ts'

/** The button to delete a webhook with its deliveries. */
export function DeleteWebhook({ webhook }: { webhook: Webhook }) {
  const { id, waitingCount } = webhook
  return (
    <DeleteSection
      what="webhook"
      name={webhookName(webhook)}
      lead="This permanently deletes the webhook and all its deliveries."
      typed={waitingCount > 0 ? String(waitingCount) : undefined}
      remove={() => account.webhooks.delete(id)}
      stale="webhooks"
      to="/webhooks"
    >
      <p>
        {waitingCount > 0
          ? `${countOf(waitingCount, 'waiting delivery is', 'waiting deliveries are')} never sent.`
          : 'No deliveries are waiting.'}
      </p>
      <DeletionWarnings of={`webhook ${id}`} remove={(options) => account.webhooks.delete(id, options)} />
    </DeleteSection>
  )
}
