import { route } from '#client/src/transport.ts'
import type { Delivery, DeliveryWithPayload } from '#client/src/types/user-resources.ts'
import { layOut } from '#shared/json/text/layout.ts'
import { membersOf } from '#shared/json/text/parts.ts'
import { here, navigate } from '../../address/location.ts'
import { withQuery } from '../../address/pattern.ts'
import { account } from '../../api/client.ts'
import { useResource } from '../../api/resource.ts'
import { useAction } from '../../forms/use-saving.ts'
import { Button, Link, LinkButton } from '../../parts/controls/button.tsx'
import { CopiedId, CopyButton, copyText } from '../../parts/controls/copy.tsx'
import { Facts, Note } from '../../parts/display/marks.tsx'
import { At } from '../../parts/display/text.tsx'
import { Detail } from '../../parts/page/detail.tsx'
import { Loaded } from '../../parts/problems/problem.tsx'
import { AttemptLog } from './attempt-log.tsx'
import { answerOf, deliveryTone, nextOf, runOf, whyOf } from './delivery-words.ts'
import { signedCurl } from './signed-curl.ts'
import { deliveriesKey } from './use-deliveries.ts'

type DeliveryPaneProps = {
  webhookId: string
  id: string
  /** The status in its row. When it changes, the delivery is read again. */
  status: Delivery['status'] | undefined
}

/** One delivery: its status with the reason, what happens next, each attempt, and the request body. */
export function DeliveryPane({ webhookId, id, status }: DeliveryPaneProps) {
  const delivery = useResource(`${deliveriesKey} ${webhookId} ${id} ${status}`, async (signal) => {
    const text = await account.webhooks.delivery(webhookId, id, { signal }).text()
    const payload = membersOf(text).get('payload')?.value ?? 'null'
    return { delivery: JSON.parse(text) as DeliveryWithPayload, payload }
  })
  const back = withQuery(here.value, { delivery: null, of: null })
  return (
    <Detail label="The delivery" isAsked back={back}>
      <div class="stack">
        <div class="row">
          <h2 class="grow">{delivery.data?.delivery.event ?? 'Delivery'}</h2>
          <Button kind="quiet" icon="close" label="Close" onPress={() => navigate(back)} />
        </div>
        <Loaded resource={delivery}>{(read) => <Contents {...read} />}</Loaded>
      </div>
    </Detail>
  )
}

function Contents({ delivery, payload }: { delivery: DeliveryWithPayload; payload: string }) {
  const { response, attemptLog } = delivery
  return (
    <div class="stack">
      <Note tone={deliveryTone(delivery)}>
        <b>{answerOf(delivery)}</b>
        <br />
        {whyOf(delivery)} <Next delivery={delivery} />
      </Note>
      <Actions delivery={delivery} payload={payload} />
      <About delivery={delivery} />
      <AttemptLog attempts={attemptLog} />
      <Text title="Request body" text={layOut(payload)} copied={payload} />
      {response?.body && <Text title="Response" text={response.body} copied={response.body} />}
    </div>
  )
}

function Next({ delivery }: { delivery: Delivery }) {
  const { status, nextAttemptAt } = delivery
  const isPlanned = status === 'pending' && nextAttemptAt !== null && Date.parse(nextAttemptAt) > Date.now()
  return (
    <>
      {nextOf(delivery, Date.now())}
      {isPlanned && (
        <>
          {' '}
          <At at={nextAttemptAt} />.
        </>
      )}
    </>
  )
}

function Actions({ delivery, payload }: { delivery: DeliveryWithPayload; payload: string }) {
  const { id, webhookId, eventId, listId, itemId, status, event } = delivery
  const runId = runOf(delivery)
  const { busy, act } = useAction()
  const resend = () =>
    act(() => account.webhooks.redeliver(webhookId, id), {
      said: 'The delivery will be sent again.',
      stale: [deliveriesKey, 'webhook'],
    })
  return (
    <div class="row wraps">
      {status !== 'pending' && event !== 'ping' && (
        <Button icon="again" busy={busy} onPress={resend}>
          Resend
        </Button>
      )}
      <CopySigned delivery={delivery} payload={payload} />
      {listId !== null && itemId !== null && (
        <LinkButton kind="quiet" to={route`/lists/${listId}/items/${itemId}`}>
          Open the item
        </LinkButton>
      )}
      {runId !== null && (
        <LinkButton kind="quiet" to={route`/runs/${runId}`}>
          Open the run
        </LinkButton>
      )}
      <LinkButton kind="quiet" to={`/deliveries?eventId=${eventId}`}>
        All deliveries of this event
      </LinkButton>
    </div>
  )
}

/** Copies the request with a fresh signature, so that it can be sent to a receiver on a local machine. */
function CopySigned({ delivery: { id, webhookId }, payload }: { delivery: Delivery; payload: string }) {
  const { busy, act } = useAction()
  const copy = () =>
    act(async () => {
      const [signed] = (await account.webhooks.sign(webhookId, [id])).deliveries
      if (signed) await copyText(signedCurl(signed, payload), 'The command (valid for 5 minutes)')
    })
  return (
    <Button icon="copy" kind="quiet" busy={busy} onPress={copy}>
      Copy signed curl
    </Button>
  )
}

function About({ delivery }: { delivery: Delivery }) {
  const { id, webhookId, eventId, createdAt, attempts } = delivery
  return (
    <Facts
      facts={[
        ['created', <At key="created" at={createdAt} />],
        ['attempts', attempts],
        ['webhook', <Link key="webhook" to={route`/webhooks/${webhookId}`}>{`…${webhookId.slice(-12)}`}</Link>],
        ['event id', <CopiedId key="event" id={eventId} what="The event id" />],
        ['delivery id', <CopiedId key="delivery" id={id} what="The delivery id" />],
      ]}
    />
  )
}

function Text({ title, text, copied }: { title: string; text: string; copied: string }) {
  return (
    <section class="card" aria-label={title}>
      <header>
        <h3 class="grow">{title}</h3>
        <CopyButton text={copied} what={title} />
      </header>
      <pre class="code in" tabIndex={0}>
        {text}
      </pre>
    </section>
  )
}
