import type { Webhook } from '#client/src/types/user-resources.ts'
import { heldWords } from '#shared/domain/webhook/behind-words.ts'
import { account } from '../../api/client.ts'
import { useAction } from '../../forms/use-saving.ts'
import { Button } from '../../parts/controls/button.tsx'
import { countOf } from '../../parts/display/text.tsx'

/** Switches a webhook off or on. */
export function SwitchWebhook({ webhook }: { webhook: Webhook }) {
  const { id, activated, waitingCount, heldCount } = webhook
  const { busy, act } = useAction()
  const said = activated ? 'The webhook is off. Nothing is sent.' : 'The webhook is active again.'
  const press = () =>
    act(() => account.webhooks.update(id, { activated: !activated }), {
      said: ({ warnings = [] }) => ({ text: [said, ...warnings].join(' '), bad: warnings.length > 0 }),
      stale: 'webhook',
    })
  const deliveries = countOf(waitingCount, 'waiting delivery', 'waiting deliveries')
  const waiting = heldCount > 0 ? `${deliveries} and ${heldWords(webhook)} behind them` : deliveries
  const about = activated
    ? 'Nothing is sent while it is off, and events in that time are never sent. Waiting deliveries are sent when you turn it on.'
    : `${waitingCount > 0 ? `Sends ${waiting} first, oldest first.` : 'Events from then on are sent.'} Its counts restart.`
  return (
    <section class="form" aria-label="State">
      <h2>{activated ? 'Switch off' : 'Activate'}</h2>
      <p class="muted">{about}</p>
      <div>
        <Button busy={busy} kind={activated ? undefined : 'primary'} onPress={press}>
          {activated ? 'Switch off' : 'Activate'}
        </Button>
      </div>
    </section>
  )
}
