import { createHmac, randomBytes } from 'node:crypto'
import test from 'ava'
import { verifyWebhook } from '#client/src/verify.ts'

const secret = `whsec_${Buffer.alloc(32, 7).toString('base64')}`
const other = `whsec_${Buffer.alloc(32, 8).toString('base64')}`
const event = { id: 'e-1', type: 'item.created', createdAt: '2026-03-01T10:00:00.000Z', data: { title: 'Süppchen' } }
const body = Buffer.from(JSON.stringify(event))
const now = () => Math.floor(Date.now() / 1000)

/** The schemes as docs/api.md describes them, written independently of the code that signs in the service. */
const hex = (key: string, seconds: number | string, bytes = body) =>
  createHmac('sha256', key).update(`${seconds}.`).update(bytes).digest('hex')
const base64 = (key: string, seconds: number | string, bytes = body) =>
  createHmac('sha256', Buffer.from(key.slice(6), 'base64'))
    .update(`e-1.${seconds}.`)
    .update(bytes)
    .digest('base64')

const service = (seconds: number, value = `v1=${hex(secret, seconds)}`) => ({
  'x-service-signature': `t=${seconds},${value}`,
})
const standard = (seconds: number, value = `v1,${base64(secret, seconds)}`) => ({
  'webhook-id': 'e-1',
  'webhook-timestamp': `${seconds}`,
  'webhook-signature': value,
})

for (const [scheme, sign] of Object.entries({ service, standard })) {
  test(`${scheme}: a signed request returns its event, for any type of headers and body`, async (t) => {
    const headers = sign(now())
    const arrayBuffer = Uint8Array.from(body).buffer
    for (const bytes of [body, new Uint8Array(body), arrayBuffer, body.toString()]) {
      t.deepEqual(await verifyWebhook({ secret, headers, body: bytes }), event)
    }
    t.deepEqual(await verifyWebhook({ secret, headers: new Headers(headers), body }), event)
    const raw = Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toUpperCase(), [value]]))
    t.deepEqual(await verifyWebhook({ secret, headers: raw, body }), event)
  })

  test(`${scheme}: another body, another secret and another time are rejected`, async (t) => {
    const headers = sign(now())
    const changed = Buffer.from(body)
    changed[10] = (changed[10] ?? 0) ^ 1
    const rejected = { name: 'WebhookSignatureError', message: /does not match this body and secret/ }
    await t.throwsAsync(verifyWebhook({ secret, headers, body: changed }), rejected)
    await t.throwsAsync(verifyWebhook({ secret, headers, body: Buffer.concat([body, body]) }), rejected)
    await t.throwsAsync(verifyWebhook({ secret: other, headers, body }), rejected)
    const sent = Object.entries(headers).map(([name, value]) => [name, value.replace(/\d{10}/, `${now() - 10}`)])
    await t.throwsAsync(verifyWebhook({ secret, headers: Object.fromEntries(sent), body }), rejected)
  })

  test(`${scheme}: a request is valid for five minutes in both directions`, async (t) => {
    for (const seconds of [-290, 290]) {
      t.deepEqual(await verifyWebhook({ secret, headers: sign(now() + seconds), body }), event)
    }
    for (const seconds of [-310, 900]) {
      const late = verifyWebhook({ secret, headers: sign(now() + seconds), body })
      t.like(await t.throwsAsync(late), { name: 'WebhookSignatureError', reason: 'time' })
    }
    t.deepEqual(await verifyWebhook({ secret, headers: sign(now() - 3_000), body, toleranceSeconds: 3_600 }), event)
  })

  test(`${scheme}: with several secrets, each of them is accepted`, async (t) => {
    t.deepEqual(await verifyWebhook({ secret: [other, secret], headers: sign(now()), body }), event)
  })
}

test('one valid signature of several is enough', async (t) => {
  const seconds = now()
  const [good, bad] = [hex(secret, seconds), hex(other, seconds)]
  for (const value of [`v1=${bad},v1=${good}`, `v1=${good},v1=${bad}`, `v0=x,v2=y,v1=${good}`]) {
    t.deepEqual(await verifyWebhook({ secret, headers: service(seconds, value), body }), event)
  }
  const [right, wrong] = [base64(secret, seconds), base64(other, seconds)]
  for (const value of [`v1,${wrong} v1,${right}`, `v1,${right} v1,${wrong}`, `v1a,x v1,${right}`]) {
    t.deepEqual(await verifyWebhook({ secret, headers: standard(seconds, value), body }), event)
  }
})

test('a signature that is missing, short, malformed or of another version is rejected, and never causes an exception', async (t) => {
  const seconds = now()
  const [good, right] = [hex(secret, seconds), base64(secret, seconds)]
  t.like(await t.throwsAsync(verifyWebhook({ secret, headers: {}, body })), { reason: 'missing' })
  const values = ['', 'v1=', `v1=${good.slice(0, 62)}`, `v1=${good}00`, `v2=${good}`, `v1=${'g'.repeat(64)}`, 'v1=%']
  for (const value of values) {
    const rejected = verifyWebhook({ secret, headers: service(seconds, value), body })
    t.like(await t.throwsAsync(rejected, undefined, value), { name: 'WebhookSignatureError', reason: 'mismatch' })
  }
  for (const value of ['', 'v1,', `v1,${right.slice(4)}`, `v2,${right}`, 'v1,!!!!', `v1,${'A'.repeat(43)}=`]) {
    const rejected = verifyWebhook({ secret, headers: standard(seconds, value), body })
    t.like(await t.throwsAsync(rejected, undefined, value), { name: 'WebhookSignatureError', reason: 'mismatch' })
  }
  for (const time of ['', 'x', '1e9', '-1', 'Infinity']) {
    const headers = { 'x-service-signature': `t=${time},v1=${hex(secret, time)}` }
    t.like(await t.throwsAsync(verifyWebhook({ secret, headers, body })), { reason: 'time' })
    const timed = { ...standard(seconds, `v1,${base64(secret, time)}`), 'webhook-timestamp': time }
    t.like(await t.throwsAsync(verifyWebhook({ secret, headers: timed, body })), { reason: 'time' })
  }
})

test('a wrong standard signature is not outweighed by the other signature', async (t) => {
  const headers = { ...service(now()), ...standard(now(), `v1,${base64(other, now())}`) }
  t.like(await t.throwsAsync(verifyWebhook({ secret, headers, body })), { reason: 'mismatch' })
})

test('the prefix of the headers can be changed', async (t) => {
  const { 'x-service-signature': value } = service(now())
  const headers = { 'x-acme-signature': value }
  t.deepEqual(await verifyWebhook({ secret, headers, body, headerPrefix: 'x-acme' }), event)
})

test('the bytes are verified as they arrived, not as text', async (t) => {
  const seconds = now()
  const bytes = Buffer.concat([Buffer.from('{"a":"'), randomBytes(64).map((byte) => byte | 0x80), Buffer.from('"}')])
  const headers = { 'x-service-signature': `t=${seconds},v1=${hex(secret, seconds, bytes)}` }
  await t.notThrowsAsync(verifyWebhook({ secret, headers, body: bytes }))
})
