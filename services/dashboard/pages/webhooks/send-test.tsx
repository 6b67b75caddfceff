import { useState } from 'preact/hooks'
import type { Delivery, Webhook } from '#client/src/types/user-resources.ts'
import { account } from '../../api/client.ts'
import { refresh } from '../../api/reader.ts'
import { useSaving } from '../../forms/use-saving.ts'
import { Button } from '../../parts/controls/button.tsx'
import { Dialog } from '../../parts/dialogs/dialog.tsx'
import { Note } from '../../parts/display/marks.tsx'
import { Problem } from '../../parts/problems/problem.tsx'
import { answerOf, deliveryTone, whyOf } from '../deliveries/delivery-words.ts'
import { deliveriesKey } from '../deliveries/use-deliveries.ts'

/** Sends a test event, and shows the receiver's response. */
export function SendTest({ webhook: { id } }: { webhook: Webhook }) {
  const [delivery, setDelivery] = useState<Delivery>()
  const { run, busy, error, clear } = useSaving()
  const send = async () => {
    await run(async () => setDelivery(await account.webhooks.ping(id)))
    refresh(deliveriesKey)
  }
  const close = () => {
    setDelivery(undefined)
    clear()
  }
  return (
    <>
      <Button busy={busy} onPress={send}>
        Send test
      </Button>
      {(error || delivery) && (
        <Dialog title="Test" onClose={close}>
          {error && <Problem error={error} />}
          {delivery && <Answer delivery={delivery} />}
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
        {delivery.status === 'succeeded' ? 'The receiver accepted the test.' : whyOf(delivery)}
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
