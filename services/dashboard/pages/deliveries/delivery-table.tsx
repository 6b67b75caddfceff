import type { Delivery } from '#client/src/types/user-resources.ts'
import { here, hrefOf } from '../../address/location.ts'
import { withQuery } from '../../address/pattern.ts'
import { Pill } from '../../parts/display/marks.tsx'
import { Table } from '../../parts/display/table.tsx'
import { Ago } from '../../parts/display/text.tsx'
import { answerOf, deliveryTone, deliveryWord } from './delivery-words.ts'

/** Deliveries as rows. @param ofAll whether each row also names its webhook */
export function DeliveryTable({ deliveries, ofAll }: { deliveries: readonly Delivery[]; ofAll: boolean }) {
  const chosen = here.value.query.get('delivery')
  return (
    <Table columns={['event', 'item', 'state', 'answer', { figures: 'attempts' }, 'when']}>
      <tbody>
        {deliveries.map((delivery) => (
          <tr key={delivery.id} class={delivery.id === chosen ? 'on' : undefined}>
            <td class="lead">
              <a href={hrefOf(addressOf(delivery, ofAll))} aria-current={delivery.id === chosen ? 'true' : undefined}>
                {delivery.event}
              </a>
            </td>
            <td class="mono muted under">{delivery.itemId === null ? '–' : `…${delivery.itemId.slice(-12)}`}</td>
            <td class="aside">
              <Pill tone={deliveryTone(delivery)}>{deliveryWord(delivery)}</Pill>
            </td>
            <td class="optional">{answerOf(delivery)}</td>
            <td class="num optional">{delivery.attempts}</td>
            <td class="muted when">
              <Ago at={delivery.createdAt} />
            </td>
          </tr>
        ))}
      </tbody>
    </Table>
  )
}

const addressOf = ({ id, webhookId }: Delivery, ofAll: boolean) =>
  withQuery(here.value, { delivery: id, of: ofAll ? webhookId : null })
