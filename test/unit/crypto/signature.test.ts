import { createHmac } from 'node:crypto'
import test from 'ava'
import { Webhook } from 'standardwebhooks'
import Stripe from 'stripe'
import { createWebhookSecret, signatureHeader, standardSignatures } from '#shared/crypto/signature.ts'

const body = '{"id":"018f","data":{"big":9007199254740993,"text":"ünï → 😀","z":1,"a":2}}'
const stripe = new Stripe('sk_test_unused')
const nowSeconds = () => Math.floor(Date.now() / 1000)

test('a secret is whsec_ and base64 of 32 random bytes', (t) => {
  const secret = createWebhookSecret()
  t.regex(secret, /^whsec_[A-Za-z0-9+/]{43}=$/)
  t.is(Buffer.from(secret.slice(6), 'base64').length, 32)
  t.not(secret, createWebhookSecret())
})

test('the signature header is t and lower-case hex HMAC-SHA256 keyed with the whole secret text', (t) => {
  const secret = createWebhookSecret()
  const expected = createHmac('sha256', Buffer.from(secret, 'utf8')).update(`1700000000.${body}`, 'utf8').digest('hex')
  t.is(signatureHeader({ secret, timestampSeconds: 1_700_000_000, body }), `t=1700000000,v1=${expected}`)
})

test('npm stripe verifies the signature header', async (t) => {
  const secret = createWebhookSecret()
  const header = signatureHeader({ secret, timestampSeconds: nowSeconds(), body })
  t.is(stripe.webhooks.constructEvent(body, header, secret).id, '018f')
  t.true(stripe.webhooks.signature?.verifyHeader(body, header, secret, 300))
  t.throws(() => stripe.webhooks.constructEvent(`${body} `, header, secret))
  t.throws(() => stripe.webhooks.constructEvent(body, header, createWebhookSecret()))
})

test('npm standardwebhooks verifies the standard signature', (t) => {
  const secret = createWebhookSecret()
  const id = '018f-event'
  const timestampSeconds = nowSeconds()
  const headers = {
    'webhook-id': id,
    'webhook-timestamp': String(timestampSeconds),
    'webhook-signature': standardSignatures({ secrets: [secret], id, timestampSeconds, body }),
  }
  t.notThrows(() => new Webhook(secret).verify(body, headers))
  t.throws(() => new Webhook(createWebhookSecret()).verify(body, headers))
  t.throws(() => new Webhook(secret).verify(body, { ...headers, 'webhook-id': 'another' }))
})

test('a replaced secret still verifies next to the new one', (t) => {
  const [secret, previous] = [createWebhookSecret(), createWebhookSecret()]
  const timestampSeconds = nowSeconds()
  const signatures = standardSignatures({ secrets: [secret, previous], id: 'e', timestampSeconds, body })
  t.is(signatures.split(' ').length, 2)
  const headers = {
    'webhook-id': 'e',
    'webhook-timestamp': String(timestampSeconds),
    'webhook-signature': signatures,
  }
  for (const known of [secret, previous]) t.notThrows(() => new Webhook(known).verify(body, headers))
})

test('a body given as bytes is signed as the same bytes given as text', (t) => {
  const secret = createWebhookSecret()
  const bytes = Buffer.from(body)
  t.is(
    signatureHeader({ secret, timestampSeconds: 1, body }),
    signatureHeader({ secret, timestampSeconds: 1, body: bytes }),
  )
  t.is(
    standardSignatures({ secrets: [secret], id: 'e', timestampSeconds: 1, body }),
    standardSignatures({ secrets: [secret], id: 'e', timestampSeconds: 1, body: bytes }),
  )
})

test('signatures stay correct beyond the number of cached keys', (t) => {
  const secrets = Array.from({ length: 1_100 }, createWebhookSecret)
  const sign = (secret: string) => signatureHeader({ secret, timestampSeconds: 1, body })
  const first = secrets.map(sign)
  t.deepEqual(secrets.map(sign), first)
  t.is(new Set(first).size, secrets.length)
})
