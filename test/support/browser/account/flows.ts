import type { Api } from '../../http/api.ts'
import { good } from './good.ts'

/** A flow with each shape: branches that split and meet, an open port, a long branch. */
const booking = {
  version: 1,
  name: 'Book a seat',
  description: 'Books seats of an evening, tells the host, and writes to whoever waits when none are left.',
  entry: {
    type: 'endpoint',
    path: 'board/book',
    input: {
      type: 'object',
      required: ['event', 'seats'],
      properties: { event: { type: 'string' }, seats: { type: 'integer', minimum: 1 }, member: { type: 'boolean' } },
    },
  },
  helpers: 'let wanted = input.seats;',
  nodes: [
    { id: 'event', type: 'get-item', list: 'board', item: 'input.event', required: true },
    {
      id: 'is_announced',
      type: 'require',
      when: "steps.event.data.state != 'over'",
      message: 'It is over.',
      status: 409,
    },
    { id: 'enough', type: 'condition', when: 'steps.event.data.place.seats >= wanted' },
    {
      id: 'kind',
      type: 'switch',
      cases: [
        { when: 'input.member == true', port: 'member' },
        { when: 'wanted > 10', port: 'group' },
      ],
    },
    { id: 'member_price', type: 'compute', value: '{price: round(steps.event.data.price * wanted * 0.9, 2)}' },
    { id: 'group_price', type: 'compute', value: '{price: round(steps.event.data.price * wanted * 0.8, 2)}' },
    { id: 'full_price', type: 'compute', value: '{price: steps.event.data.price * wanted}' },
    {
      id: 'taken',
      type: 'update-item',
      list: 'board',
      item: 'steps.event.id',
      merge: '{place: {seats: steps.event.data.place.seats - wanted}}',
    },
    {
      id: 'order',
      type: 'create-item',
      list: 'orders',
      data: '{event: steps.event.id, seats: wanted, per: 100 / (wanted - 7)}',
    },
    { id: 'booked', type: 'respond', status: 201, body: '{order: steps.order.id, seats: wanted}' },
    { id: 'waiting', type: 'create-item', list: 'tickets', data: '{event: steps.event.id, waits: wanted}' },
    { id: 'sorry', type: 'respond', status: 202, body: "{waits: true, text: 'There are no seats left.'}" },
  ],
  edges: [
    ['event', 'is_announced'],
    ['is_announced', 'enough'],
    ['enough', 'kind', 'true'],
    ['enough', 'waiting', 'false'],
    ['kind', 'member_price', 'member'],
    ['kind', 'group_price', 'group'],
    ['kind', 'full_price', 'default'],
    ['member_price', 'taken'],
    ['group_price', 'taken'],
    ['full_price', 'taken'],
    ['taken', 'order'],
    ['order', 'booked'],
    ['waiting', 'sorry'],
  ],
}

/** A flow and runs of it that ended in each way. */
export async function fillFlows({
  user: asUser,
  api: asToken,
}: {
  user: Api
  api: Api
}): Promise<{ flow: string; runs: string[] }> {
  const user = good(asUser)
  const { json } = await user('POST', '/flow-definitions', { body: { document: booking } })

  for (const [event, seats] of [
    ['evening-2', 2],
    ['evening-4', 12],
    ['evening-6', 500],
    ['evening-3', 1],
    ['evening-5', 7],
    ['evening-8', 'x'],
  ])
    await asToken('POST', '/flows/board/book', { body: { event, seats, member: seats === 2 } })
  const runs = (await user('GET', '/flow-runs?limit=20')).json.data.map(({ id }: { id: string }) => id)
  return { flow: json.id, runs }
}
