import { useState } from 'preact/hooks'
import { route } from '#client/src/transport.ts'
import type { Event } from '#client/src/types/resources.ts'
import type { Delivery } from '#client/src/types/user-resources.ts'
import { account } from '../../api/client.ts'
import { pollMs } from '../../api/hinted.ts'
import { useResource } from '../../api/resource.ts'
import { Link } from '../../parts/controls/button.tsx'
import { Pill } from '../../parts/display/marks.tsx'
import { Ago, count, countOf } from '../../parts/display/text.tsx'
import { eventWords } from '../../parts/events/event-words.ts'
import { Loaded, Skeleton } from '../../parts/problems/problem.tsx'
import { AttemptLog } from '../deliveries/attempt-log.tsx'
import { deliveryTone, deliveryWord } from '../deliveries/delivery-words.ts'
import { webhookName } from '../webhooks/webhook-health.ts'

/** The trace of a change: its event, the deliveries of the event to webhooks, and the attempts of each. */
export function Trace({ event }: { event: Event }) {
  const { id, type, version, modelId, listId } = event
  const change = `${eventWords(type)}${version === null ? '' : ` · ${version}`}`
  const deliveries = useResource(`deliveries of event ${id}`, (signal) => readDeliveries(id, signal), {
    everyMs: ({ page }) => (page.data.some(({ status }) => status === 'pending') ? pollMs(10_000) : null),
  })
  return (
    <section aria-label="Trace">
      <h2>Trace</h2>
      <ul class="trace">
        <li>
          {listId ? <Link to={route`/lists/${listId}/items/${modelId}`}>{change}</Link> : change}
          <ul>
            <li>
              event <code>{id}</code>
              <Loaded resource={deliveries} skeleton={<Skeleton lines={2} />}>
                {({ page, names }) => (
                  <ul>
                    {page.data.map((delivery) => (
                      <OneDelivery key={delivery.id} delivery={delivery} name={names.get(delivery.webhookId)} />
                    ))}
                    {page.data.length === 0 && (
                      <li class="muted">It was sent to no webhook, or its deliveries have been deleted.</li>
                    )}
                    {page.total > page.data.length && (
                      <li class="muted">And {count(page.total - page.data.length)} more.</li>
                    )}
                  </ul>
                )}
              </Loaded>
            </li>
          </ul>
        </li>
      </ul>
    </section>
  )
}

/** The newest deliveries of an event, and the names of the webhooks. */
async function readDeliveries(eventId: string, signal: AbortSignal) {
  const [page, webhooks] = await Promise.all([
    account.webhooks.allDeliveries({ where: { eventId }, limit: 50, signal }).page(1),
    account.webhooks.all({ limit: 100, signal }).page(1),
  ])
  return { page, names: new Map(webhooks.data.map((webhook) => [webhook.id, webhookName(webhook)])) }
}

function OneDelivery({ delivery, name }: { delivery: Delivery; name: string | undefined }) {
  const { id, eventId, attempts, webhookId, nextAttemptAt } = delivery
  const [isOpen, setOpen] = useState(false)
  return (
    <li>
      <Pill tone={deliveryTone(delivery)}>{deliveryWord(delivery)}</Pill>{' '}
      <Link to={`/deliveries?eventId=${eventId}&delivery=${id}&of=${webhookId}`}>delivery</Link> to{' '}
      {name ?? `a deleted webhook (${webhookId.slice(0, 8)})`}
      {nextAttemptAt && (
        <span class="muted">
          , next attempt <Ago at={nextAttemptAt} />
        </span>
      )}
      {attempts > 0 && (
        <details onToggle={({ currentTarget }) => setOpen(currentTarget.open)}>
          <summary>{countOf(attempts, 'attempt')}</summary>
          {isOpen && <Attempts delivery={delivery} />}
        </details>
      )}
    </li>
  )
}

function Attempts({ delivery: { id, webhookId } }: { delivery: Delivery }) {
  const read = useResource(`delivery ${id}`, (signal) => account.webhooks.delivery(webhookId, id, { signal }))
  return (
    <Loaded resource={read} skeleton={<Skeleton lines={1} />}>
      {({ attemptLog }) => <AttemptLog attempts={attemptLog} />}
    </Loaded>
  )
}
