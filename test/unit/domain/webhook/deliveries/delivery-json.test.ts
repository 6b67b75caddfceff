import test from 'ava'
import type { Delivery } from '#shared/domain/webhook/deliveries/delivery.ts'
import { serializeDelivery, toDeliveryJson } from '#shared/domain/webhook/deliveries/delivery-json.ts'

const delivery: Delivery = {
  id: 'd',
  createdAt: 1,
  updatedAt: 2,
  webhookId: 'w',
  eventId: 'e',
  event: 'item.created',
  listId: 'l',
  itemId: 'i',
  status: 'failed',
  attempts: 8,
  nextAttemptAt: null,
  lastAttemptAt: 3,
  completedAt: 4,
  response: { status: 500, body: 'no', durationMs: 7 },
  error: null,
}

test('a delivery has the fields of the contract, times as ISO 8601', (t) => {
  t.deepEqual(toDeliveryJson(delivery), {
    id: 'd',
    createdAt: '1970-01-01T00:00:00.001Z',
    updatedAt: '1970-01-01T00:00:00.002Z',
    webhookId: 'w',
    eventId: 'e',
    event: 'item.created',
    listId: 'l',
    itemId: 'i',
    status: 'failed',
    attempts: 8,
    nextAttemptAt: null,
    lastAttemptAt: '1970-01-01T00:00:00.003Z',
    completedAt: '1970-01-01T00:00:00.004Z',
    response: { status: 500, body: 'no', durationMs: 7 },
    error: null,
  })
})

test('the payload is in the text as it is sent: big numbers, key order and escapes unchanged', (t) => {
  const payload = '{"b":12345678901234567890,"2":1e400,"a":"\\u00fc","__proto__":1.0}'
  const phases = { dnsMs: 1, connectMs: 2, tlsMs: 3, waitMs: null }
  const none = { phases: null, headers: null }
  const log = [
    { number: 1, startedAt: 5, durationMs: null, status: null, error: 'interrupted' as const, details: null },
    {
      number: 2,
      startedAt: 6,
      durationMs: 3,
      status: 500,
      error: null,
      details: { phases, headers: { server: 'nginx' } },
    },
  ]
  const text = serializeDelivery(delivery, { payload, log })
  t.true(text.includes(`"payload":${payload},"attemptLog":`))
  const { payload: _, attemptLog, ...shown } = JSON.parse(text)
  t.deepEqual(shown, toDeliveryJson(delivery))
  t.deepEqual(attemptLog, [
    { ...none, number: 1, startedAt: '1970-01-01T00:00:00.005Z', durationMs: null, status: null, error: 'interrupted' },
    {
      number: 2,
      startedAt: '1970-01-01T00:00:00.006Z',
      durationMs: 3,
      status: 500,
      error: null,
      phases,
      headers: { server: 'nginx' },
    },
  ])
})
