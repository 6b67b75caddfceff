import type { Webhook } from '#client/src/types/user-resources.ts'
import { deliveryEventTypes } from '#shared/domain/webhook/event-types.ts'
import { here, navigate } from '../../address/location.ts'
import { withQuery } from '../../address/pattern.ts'
import { Button } from '../../parts/controls/button.tsx'
import { Pick } from '../../parts/controls/pick.tsx'
import { spanChoices } from '../../parts/spans.ts'
import type { DeliveryView } from './delivery-view.ts'
import { errorWords } from './delivery-words.ts'

type Choices = readonly (readonly [value: string, label: string])[]

const statuses: Choices = [
  ['', 'Any state'],
  ['failed', 'failed'],
  ['pending', 'waiting or trying'],
  ['succeeded', 'succeeded'],
]
const events: Choices = [['', 'Any event'], ...deliveryEventTypes.map((type) => [type, type] as const)]
const answers: Choices = [
  ['', 'Any response'],
  ['5xx', '5xx'],
  ['4xx', '4xx'],
  ['3xx', '3xx'],
  ['2xx', '2xx'],
  ...Object.entries(errorWords).map(([error, { name }]) => [error, name] as const),
]

type DeliveryBarProps = { view: DeliveryView; webhook: Webhook | undefined; onResend: () => void }

/** The filters of the deliveries, and the button that sends the matching ones again. */
export function DeliveryBar({ view, webhook, onResend }: DeliveryBarProps) {
  const answer = view.error ?? view.responseStatus ?? ''
  const chosen = answers.some(([value]) => value === answer) ? answers : [...answers, [answer, answer] as const]
  return (
    <div class="bar">
      <Pick label="State" value={view.status ?? ''} choices={statuses} onValue={(status) => show({ status })} />
      <Pick label="Event" value={view.event ?? ''} choices={events} onValue={(event) => show({ event })} />
      <Pick
        label="Response"
        value={answer}
        choices={chosen}
        onValue={(value) =>
          show({ error: value in errorWords ? value : '', responseStatus: value in errorWords ? '' : value })
        }
      />
      <Pick label="Time" value={view.since ?? ''} choices={spanChoices} onValue={(since) => show({ since })} />
      {(['itemId', 'eventId', ...(webhook ? [] : (['webhookId'] as const))] as const).map(
        (name) => view[name] !== undefined && <OfOne key={name} name={name} id={view[name]} />,
      )}
      <div class="grow" />
      <Button icon="again" onPress={onResend}>
        Resend…
      </Button>
    </div>
  )
}

/** Sets a filter. An empty value removes it. */
function show(conditions: Readonly<Record<string, string>>): void {
  const changes = Object.fromEntries(Object.entries(conditions).map(([name, value]) => [name, value || null]))
  navigate(withQuery(here.value, { ...changes, after: null, delivery: null, of: null }))
}

const ofNames = { itemId: 'item', eventId: 'event', webhookId: 'webhook' } as const

function OfOne({ name, id }: { name: keyof typeof ofNames; id: string | undefined }) {
  return (
    <span class="chip">
      <span class="pad-inline">
        <b>{ofNames[name]}</b> <span class="mono">…{id?.slice(-12)}</span>
      </span>
      <Button
        kind="quiet"
        icon="close"
        label={`Remove the ${ofNames[name]} filter`}
        onPress={() => show({ [name]: '' })}
      />
    </span>
  )
}
