import { useState } from 'preact/hooks'
import type { ListdError } from '#client/src/error.ts'
import type { Delivery, Webhook } from '#client/src/user-resources.ts'
import { account } from '../../api/client.ts'
import { refresh, toListdError } from '../../api/resource.ts'
import { Button } from '../../parts/button.tsx'
import { Dialog } from '../../parts/dialog.tsx'
import { Note } from '../../parts/marks.tsx'
import { Problem } from '../../parts/problem.tsx'
import { answerOf, deliveryTone, whyOf } from '../deliveries/delivery-words.ts'
import { deliveriesKey } from '../deliveries/use-deliveries.ts'

/** Sends a test event, and shows what the receiver answered. */
export function SendTest({ webhook: { id } }: { webhook: Webhook }) {
  const [busy, setBusy] = useState(false)
  const [outcome, setOutcome] = useState<{ delivery?: Delivery; error?: ListdError }>()
  const send = async () => {
    setBusy(true)
    setOutcome(
      await account.webhooks.ping(id).then(
        (delivery) => ({ delivery }),
        (failure) => ({ error: toListdError(failure) }),
      ),
    )
    setBusy(false)
    refresh(deliveriesKey)
  }
  return (
    <>
      <Button busy={busy} onPress={send}>
        Send test
      </Button>
      {outcome && (
        <Dialog title="Test" onClose={() => setOutcome(undefined)}>
          {outcome.error && <Problem error={outcome.error} />}
          {outcome.delivery && <Answer delivery={outcome.delivery} />}
        </Dialog>
      )}
    </>
  )
}

function Answer({ delivery }: { delivery: Delivery }) {
  const { response } = delivery
  return (
    <div class="form">
      <Note tone={deliveryTone(delivery)}>
        <b>{answerOf(delivery)}</b>
        <br />
        {delivery.status === 'succeeded' ? 'The receiver has taken the test.' : whyOf(delivery)}
      </Note>
      {response && <p class="muted">After {response.durationMs} ms.</p>}
      {response?.body && (
        <pre class="code" tabIndex={0}>
          {response.body}
        </pre>
      )}
    </div>
  )
}
