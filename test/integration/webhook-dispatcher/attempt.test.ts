import test, { type ExecutionContext } from 'ava'
import manifest from '#package.json' with { type: 'json' }
import { sendAttempt } from '#services/webhook-dispatcher/attempt.ts'
import { createWebhookSecret } from '#shared/crypto/signature.ts'
import type { ClaimedDelivery } from '#shared/domain/webhook/deliveries/delivery.ts'
import { testHttpClient, testReceiver } from '../../support/receivers/egress.ts'
import type { ReceivedRequest } from '../../support/receivers/receiver.ts'
import { verifyServiceSignature, verifyStandardSignature } from '../../support/webhooks/verify-signature.ts'

const secret = createWebhookSecret()
const previousSecret = createWebhookSecret()

test('a delivery is a POST of JSON with the headers of the specification', async (t) => {
  const sentAt = Date.now()
  const request = await delivered(t, {}, { now: () => sentAt })
  t.is(request.method, 'POST')
  t.is(request.path, '/hook')
  const { host, connection, ...headers } = request.headers
  t.regex(String(host), /^127\.0\.0\.1:\d+$/)
  t.is(connection, 'keep-alive')
  const seconds = Math.floor(sentAt / 1000)
  t.regex(headers['x-service-signature'] ?? '', new RegExp(`^t=${seconds},v1=[0-9a-f]{64}$`))
  t.regex(headers['webhook-signature'] ?? '', /^v1,[A-Za-z0-9+/]{43}=$/)
  t.deepEqual(
    { ...headers, 'x-service-signature': '', 'webhook-signature': '' },
    {
      'content-type': 'application/json',
      'content-length': String(request.body.length),
      'user-agent': `listd/${manifest.version}`,
      'x-service-signature': '',
      'x-service-event': 'item.created',
      'x-service-delivery': 'the-delivery',
      'webhook-id': 'the-event',
      'webhook-timestamp': String(seconds),
      'webhook-signature': '',
    },
  )
})

const bodies: [string, string][] = [
  ['unicode', '{"text":"žluťoučký 💾 \u2028 \\ud83d\\udcbe"}'],
  ['an order of keys that parsing would change', '{"b":1,"2":0,"1":0,"a":2,"__proto__":{"x":1}}'],
  ['numbers above 2^53 and odd spellings of numbers', '{"n":9007199254740993,"e":1e400,"z":-0.0,"d":1.10}'],
  ['more than a socket accepts at once', `{"long":"${'ř'.repeat(400_000)}"}`],
]
for (const [claim, body] of bodies) {
  test(`the bytes passed are the bytes signed and the bytes sent: ${claim}`, async (t) => {
    const request = await delivered(t, { body })
    t.deepEqual(request.body, Buffer.from(body))
    t.notThrows(() => verifyServiceSignature(request, secret))
    t.notThrows(() => verifyStandardSignature(request, secret))
  })
}

test('after a replacement only webhook-signature also carries the old secret', async (t) => {
  const request = await delivered(t, { previousSecret })
  t.notThrows(() => verifyServiceSignature(request, secret))
  t.throws(() => verifyServiceSignature(request, previousSecret))
  t.notThrows(() => verifyStandardSignature(request, secret))
  t.notThrows(() => verifyStandardSignature(request, previousSecret))
})

test('a replaced secret that is no longer valid signs nothing', async (t) => {
  const request = await delivered(t, {})
  t.throws(() => verifyStandardSignature(request, previousSecret))
})

test('a body that was changed in transit does not verify', async (t) => {
  const request = await delivered(t, {})
  const changed = { ...request, body: Buffer.concat([request.body, Buffer.from(' ')]) }
  t.throws(() => verifyServiceSignature(changed, secret))
  t.throws(() => verifyStandardSignature(changed, secret))
})

test('each attempt is signed at its own time', async (t) => {
  const receiver = await testReceiver(t)
  const client = await testHttpClient(t, receiver)
  const start = Date.now()
  for (const later of [0, 60_000]) {
    await sendAttempt({ client, headerPrefix: 'x-service', now: () => start + later }, claimed({ url: receiver.url }))
  }
  const times = receiver.requests.map(({ headers }) => Number(headers['webhook-timestamp']))
  t.is((times[1] ?? 0) - (times[0] ?? 0), 60)
})

test("the prefix of the service's own headers is configurable", async (t) => {
  const request = await delivered(t, {}, { headerPrefix: 'x-acme' })
  t.is(request.headers['x-acme-event'], 'item.created')
  t.is(request.headers['x-acme-delivery'], 'the-delivery')
  t.is(request.headers['x-service-signature'], undefined)
  t.notThrows(() => verifyServiceSignature(request, secret, 'x-acme'))
})

test('fixed headers are sent next to those of the service, and never replace one of them', async (t) => {
  const headers = [
    ['Authorization', 'Bearer canary-pass'],
    ['X-Acme-Team', 'kitchen & co'],
    ['x-service-event', 'forged'],
  ] as const
  const request = await delivered(t, { headers })
  t.like(request.headers, {
    authorization: 'Bearer canary-pass',
    'x-acme-team': 'kitchen & co',
    'x-service-event': 'item.created',
  })
  t.notThrows(() => verifyServiceSignature(request, secret))
  const renamed = await delivered(t, { headers }, { headerPrefix: 'x-acme' })
  t.deepEqual([renamed.headers['x-acme-team'], renamed.headers['x-service-event']], [undefined, 'forged'])
})

async function delivered(
  t: ExecutionContext,
  fields: Partial<ClaimedDelivery>,
  { now = Date.now, headerPrefix = 'x-service' } = {},
): Promise<ReceivedRequest> {
  const receiver = await testReceiver(t, { reply: { body: 'ok' } })
  const client = await testHttpClient(t, receiver)
  const outcome = await sendAttempt({ client, headerPrefix, now }, claimed({ url: receiver.url, ...fields }))
  t.like(outcome, { status: 200, body: 'ok', error: null })
  const [request] = await receiver.received(1)
  if (request === undefined) throw new Error('nothing was received')
  return request
}

function claimed(fields: Partial<ClaimedDelivery>): ClaimedDelivery {
  return {
    webhookId: 'the-webhook',
    url: '',
    deliveryId: 'the-delivery',
    eventId: 'the-event',
    event: 'item.created',
    number: 1,
    seriesAttempts: 1,
    requestId: 'the-request',
    body: '{"id":"the-event"}',
    secret,
    previousSecret: null,
    headers: [],
    ...fields,
  }
}
