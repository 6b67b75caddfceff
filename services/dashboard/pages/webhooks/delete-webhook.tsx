import { useState } from 'preact/hooks'
import type { Webhook } from '#client/src/user-resources.ts'
import { navigate } from '../../address/location.ts'
import { account } from '../../api/client.ts'
import { refresh } from '../../api/resource.ts'
import { announce } from '../../parts/announce.tsx'
import { Button } from '../../parts/button.tsx'
import { Agree } from '../../parts/dialog.tsx'
import { countOf } from '../../parts/text.tsx'
import { DeletionWarnings } from '../../parts/warnings.tsx'
import { webhookName } from './webhook-health.ts'

/** The way to delete a webhook with its deliveries. */
export function DeleteWebhook({ webhook }: { webhook: Webhook }) {
  const [asks, setAsks] = useState(false)
  const { id, waitingCount } = webhook
  const name = webhookName(webhook)
  const remove = async () => {
    await account.webhooks.delete(id)
    refresh('webhooks')
    navigate('/webhooks', { replace: true, unasked: true })
    announce(`The webhook ${name} was deleted.`)
  }
  return (
    <section class="form" aria-label="Delete">
      <h2>Delete</h2>
      <p class="muted">The webhook goes for good, with all its deliveries.</p>
      <div>
        <Button kind="bad" onPress={() => setAsks(true)}>
          Delete this webhook…
        </Button>
      </div>
      {asks && (
        <Agree
          title={`Delete ${name}?`}
          action="Delete the webhook"
          typed={waitingCount > 0 ? String(waitingCount) : undefined}
          onAgree={remove}
          onClose={() => setAsks(false)}
        >
          <p>
            {waitingCount > 0
              ? `${countOf(waitingCount, 'delivery that waits is', 'deliveries that wait are')} never sent.`
              : 'Nothing waits to be sent.'}
          </p>
          <DeletionWarnings of={`webhook ${id}`} remove={(options) => account.webhooks.delete(id, options)} />
        </Agree>
      )}
    </section>
  )
}
