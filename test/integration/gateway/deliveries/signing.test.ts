import test from 'ava'
import { deliveryRoutes } from '#services/gateway/resources/deliveries/routes.ts'
import { signingRoutes } from '#services/gateway/resources/deliveries/signing/routes.ts'
import { webhookRoutes } from '#services/gateway/resources/webhooks/routes.ts'
import { newId } from '#shared/crypto/ids.ts'
import { createWebhookSecret } from '#shared/crypto/signature.ts'
import { webhookSecretBinding } from '#shared/domain/webhook/secret.ts'
import { errorPaths } from '../../../support/http/answers/wire-errors.ts'
import { makeAccount, type TestAccount } from '../../../support/http/callers.ts'
import { startGateway, type TestGateway } from '../../../support/http/gateway.ts'
import type { ReceivedRequest } from '../../../support/receivers/receiver.ts'
import { afterAll } from '../../../support/test-context/shared.ts'
import { verifyServiceSignature, verifyStandardSignature } from '../../../support/webhooks/verify-signature.ts'
import { webhookWith } from '../../../support/webhooks/webhook-calls.ts'

const cleanup = afterAll()
let gateway: TestGateway

test.before(async () => {
  gateway = await startGateway(cleanup, { routes: [...webhookRoutes, ...deliveryRoutes, ...signingRoutes] })
})

/** A webhook with a known secret and with deliveries, in its own account, because calls are counted by user. */
async function world(rows: Parameters<typeof webhookWith>[1] = [{ status: 'failed' }]) {
  const account: TestAccount = await makeAccount(gateway.deps.db)
  const created = await webhookWith({ gateway, account }, rows)
  const secret = createWebhookSecret()
  const binding = webhookSecretBinding({ accountId: account.accountId, webhookId: created.webhookId })
  await created.db.run('update webhooks set secret = ? where id = ?', [
    gateway.deps.sealer.seal(secret, binding),
    created.webhookId,
  ])
  return { ...created, secret }
}

type Signed = { id: string; url: string; headers: Record<string, string>; omitted: string[]; expiresAt: string }
const signedOf = (json: unknown) => (Object(json) as { deliveries: Signed[] }).deliveries

/** A request in the form that a receiver gets. */
const received = (headers: Record<string, string>, body: string): ReceivedRequest => ({
  method: 'POST',
  path: '/',
  headers,
  body: Buffer.from(body),
  receivedAt: Date.now(),
  connection: 1,
})

test('deliveries are signed as if they were sent now, and verify, with the bytes of their payload', async (t) => {
  const { sign, verify, get, ids, secret } = await world([{ status: 'failed' }, { status: 'pending' }])
  const { status, json } = await sign({ deliveries: ids })
  t.is(status, 200)
  for (const signed of signedOf(json)) {
    t.deepEqual(Object.keys(signed), ['id', 'url', 'headers', 'omitted', 'expiresAt'])
    t.like(signed, { url: 'https://127.0.0.1/', omitted: [] })
    const delivery = (await get(signed.id)).text
    const body = /"payload":(.*),"attemptLog"/s.exec(delivery)?.[1] ?? ''
    const request = received(signed.headers, body)
    t.deepEqual(verifyStandardSignature(request, secret), verifyServiceSignature(request, secret))
    const lifetimeMs = Date.parse(signed.expiresAt) - Number(signed.headers['webhook-timestamp']) * 1_000
    t.is(lifetimeMs, 300_000)
    t.like(await verify({ headers: signed.headers, body }), { status: 200, json: { valid: true } })
    const again = JSON.stringify(JSON.parse(body))
    const { json: changed } = await verify({ headers: signed.headers, body: again })
    t.false(changed?.valid)
    t.regex(JSON.stringify(changed?.checks), /parsed and serialized again: same JSON, different bytes/)
  }
})

test('after the secret is replaced, a signature of the old one is reported as such', async (t) => {
  const { sign, verify, replaceSecret, ids } = await world()
  const [signed] = signedOf((await sign({ deliveries: ids })).json)
  await replaceSecret()
  const { json } = await verify({ headers: { ...signed?.headers, host: 'x' }, body: 'x' })
  t.false(json?.valid)
  const [both] = signedOf((await sign({ deliveries: ids })).json)
  t.is(both?.headers['webhook-signature']?.split(' ').length, 2)
  const own = Object.entries(signed?.headers ?? {}).filter(([name]) => name === 'x-service-signature')
  const body = ''
  t.like(await verify({ headers: Object.fromEntries(own), body }), { status: 200, json: { valid: false } })
})

test('an id that is not a delivery of the webhook is named, and so is one beyond the limit', async (t) => {
  const { sign, verify, ids } = await world()
  const wrong: [body: object, paths: string[]][] = [
    [{ deliveries: [ids[0], newId()] }, ['deliveries.1']],
    [{ deliveries: [] }, ['deliveries']],
    [{ deliveries: ['x'] }, ['deliveries.0']],
    [{ deliveries: Array.from({ length: 51 }, newId) }, ['deliveries']],
    [{ deliveries: [ids[0], ids[0]] }, ['deliveries.1']],
    [{}, ['deliveries']],
  ]
  for (const [body, paths] of wrong) {
    const reply = await sign(body)
    t.is(reply.status, 400)
    t.deepEqual(errorPaths(reply), paths)
  }
  t.deepEqual(errorPaths(await verify({ headers: { a: 5 }, body: 'x' })), ['headers.a'])
  t.deepEqual(errorPaths(await verify({ headers: [] })), ['body', 'headers'])
})

test('a user may sign 30 times a minute, and verify as often', async (t) => {
  const { sign, verify, ids } = await world()
  const calls = { sign: () => sign({ deliveries: ids }), verify: () => verify({ headers: {}, body: 'x' }) }
  for (const call of Object.values(calls)) {
    for (let n = 0; n < 30; n++) t.is((await call()).status, 200)
    const rejected = await call()
    t.like(rejected, { status: 429, json: { name: 'RATE_LIMIT_EXCEEDED' } })
    t.regex(String(rejected.headers['retry-after']), /^\d+$/)
  }
})
