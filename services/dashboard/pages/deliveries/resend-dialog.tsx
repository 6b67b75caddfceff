import { useEffect, useRef, useState } from 'preact/hooks'
import { account } from '../../api/client.ts'
import { refresh } from '../../api/reader.ts'
import { useResource } from '../../api/resource.ts'
import { Form } from '../../forms/form.tsx'
import { useSaving } from '../../forms/use-saving.ts'
import { Button } from '../../parts/controls/button.tsx'
import { Choice } from '../../parts/controls/field.tsx'
import { Dialog } from '../../parts/dialogs/dialog.tsx'
import { Note } from '../../parts/display/marks.tsx'
import { count, countOf } from '../../parts/display/text.tsx'
import { Loaded, Problem, Skeleton } from '../../parts/problems/problem.tsx'
import type { DeliveryView } from './delivery-view.ts'
import { mostCountingCalls, type ResendStatus, type Resent, resendAll, resendFields } from './resend.ts'
import { deliveriesKey } from './use-deliveries.ts'

/** Sends the deliveries of a view again, after showing how many there are. */
export function ResendDialog({ view, onClose }: { view: DeliveryView; onClose: () => void }) {
  const [status, setStatus] = useState<ResendStatus>(view.status === 'succeeded' ? 'settled' : 'failed')
  // Deliveries that are created while the dialog is open are not included.
  const [now] = useState(Date.now)
  const fields = resendFields(view, status, now)
  const counted = useResource(`count of ${JSON.stringify(fields)}`, (signal) =>
    resendAll((part) => account.webhooks.redeliverAll(part, { dryRun: true, signal }), fields, {
      signal,
      onProgress: () => {},
      mostCalls: mostCountingCalls,
    }),
  )
  const { resend, stop, progress, error } = useResend(onClose)
  return (
    <Dialog title="Send again" onClose={onClose} stays={progress !== null}>
      <Form onSend={() => resend(fields)}>
        <Choice
          label="Which"
          value={status}
          disabled={progress !== null}
          choices={[
            { value: 'failed', label: 'Deliveries that failed permanently' },
            { value: 'settled', label: 'Failed and succeeded deliveries' },
          ]}
          onValue={setStatus}
        />
        <Loaded resource={counted} skeleton={<Skeleton lines={1} />}>
          {(found) => <Count found={found} />}
        </Loaded>
        {error && <Problem error={error} />}
        <div class="ends">
          {progress && <span role="status">{countOf(progress.queued, 'delivery', 'deliveries')} so far.</span>}
          <div class="grow" />
          <Button onPress={progress ? stop : onClose}>{progress ? 'Stop' : 'Cancel'}</Button>
          <Button
            kind="primary"
            sends
            busy={progress !== null}
            disabled={counted.isOld || !counted.data || counted.data.queued === 0}
          >
            {counted.data && !counted.isOld ? `Send ${countText(counted.data)} again` : 'Send again'}
          </Button>
        </div>
      </Form>
    </Dialog>
  )
}

const countText = ({ queued, isWhole }: Resent) => (isWhole ? count(queued) : `${count(queued)} or more`)

function Count({ found }: { found: Resent }) {
  const { queued, skipped } = found
  if (queued === 0 && skipped === 0) return <p>No deliveries can be sent again.</p>
  return (
    <>
      <p>
        {countText(found)} {queued === 1 ? 'delivery' : 'deliveries'} will be sent again, oldest first. Receivers can
        recognize a repeated delivery by its id.
      </p>
      {skipped > 0 && (
        <Note tone="warn">
          {countOf(skipped, 'more delivery', 'more deliveries')} cannot be sent again now: too many deliveries wait at
          the webhook.
        </Note>
      )}
    </>
  )
}

function useResend(onClose: () => void) {
  const [progress, setProgress] = useState<Resent | null>(null)
  const { run, error } = useSaving()
  const stopping = useRef<AbortController>(null)
  useEffect(() => () => stopping.current?.abort(), [])
  const resend = async (fields: ReturnType<typeof resendFields>) => {
    stopping.current = new AbortController()
    const { signal } = stopping.current
    setProgress({ queued: 0, skipped: 0, isWhole: false })
    const isTaken = await run(
      () => resendAll((part) => account.webhooks.redeliverAll(part), fields, { signal, onProgress: setProgress }),
      { said: ({ queued }) => `${countOf(queued, 'delivery', 'deliveries')} will be sent again.` },
    )
    if (isTaken) onClose()
    else setProgress(null)
    refresh(deliveriesKey)
    refresh('webhook')
  }
  return { resend, stop: () => stopping.current?.abort(), progress, error }
}
