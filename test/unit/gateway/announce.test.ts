import test from 'ava'
import { announceOn } from '#services/gateway/announce.ts'
import type { EventGroup } from '#shared/bus/messages/events.ts'
import { committedOf } from '#shared/data/events/committed.ts'

const event = (id: string, listId: string) => ({
  id,
  accountId: 'a',
  listId,
  type: 'item-created',
  modelId: 'i',
  revision: 1,
})

test("the dispatchers' doorbell rings once for all lists of a commit, and only for events with outbox rows", (t) => {
  const published: EventGroup[] = []
  const bus = { publishEvents: (group: EventGroup) => published.push(group), broadcast() {} }
  const announce = announceOn(bus, { ring() {}, hint() {} })
  announce(committedOf([event('e1', 'l1'), event('e2', 'l2')]))
  t.deepEqual(published, [])
  const heard = committedOf([event('e3', 'l1'), event('e4', 'l2'), event('e5', 'l1')], () => ({ requestId: 'r' }))
  announce([...committedOf([event('e6', 'l3')]), ...heard])
  t.deepEqual(published, [{ requestId: 'r', eventIds: ['e3', 'e5', 'e4'] }])
})

test('the doorbell of streams rings for accounts with a commit to a realtime list, here and elsewhere', (t) => {
  const [rung, sent, hinted]: [string[], unknown[], unknown[]] = [[], [], []]
  const broadcast = (subject: string, body: unknown) => void sent.push([subject, body])
  const announce = announceOn(
    { publishEvents() {}, broadcast },
    {
      ring: (accountId) => rung.push(accountId),
      hint: (committed) => hinted.push(...committed),
    },
  )
  announce(committedOf([event('e1', 'l1')]))
  t.deepEqual([rung, sent], [[], []])
  announce(
    committedOf([
      event('e2', 'l1'),
      { ...event('e3', 'l2'), realtime: true },
      { ...event('e4', 'l3'), realtime: true },
    ]),
  )
  t.deepEqual(rung, ['a'])
  t.deepEqual(sent, [['gateway.realtime', { accountIds: ['a'] }]])
  t.is(hinted.length, 4, 'hints are of all lists')
})
