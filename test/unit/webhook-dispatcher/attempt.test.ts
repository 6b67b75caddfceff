import test from 'ava'
import { openingSecrets } from '#services/webhook-dispatcher/attempt.ts'
import { createMasterKey, openSealer } from '#shared/crypto/seal.ts'
import { openHeaders, openSecrets } from '#shared/crypto/webhook-secrets.ts'
import type { Claim } from '#shared/data/dispatch/claims.ts'
import { webhookHeadersBinding, webhookSecretBinding } from '#shared/domain/webhook/secret.ts'
import { testLog } from '../../support/test-context/test-log.ts'

const webhook = { accountId: 'a', webhookId: 'w', previousSecret: null, headers: null }

test('past the limit of the cache, only the least recently used secret is opened again', (t) => {
  const opened: string[] = []
  const open = (sealed: string) => {
    opened.push(sealed)
    return `plain ${sealed}`
  }
  const use = (secret: string) => openSecrets({ open }, { ...webhook, secret }).secret
  for (let n = 0; n < 2_000; n++) use(`${n}`)
  t.is(use('0'), 'plain 0')
  use('one too many')
  t.is(opened.length, 2_001)
  use('0')
  t.is(opened.length, 2_001)
  use('1')
  t.is(opened.at(-1), '1')
})

test('a secret that is cached for its webhook does not open in the row of another one', (t) => {
  const sealer = openSealer(createMasterKey())
  const claim = { ...webhook, secret: sealer.seal('secret', webhookSecretBinding(webhook)) }
  t.is(openSecrets(sealer, claim).secret, 'secret')
  t.throws(() => openSecrets(sealer, { ...claim, webhookId: 'other' }), { message: /belongs to another row/ })
})

test('the fixed headers of a claim are opened only for its webhook, and a secret cannot replace them', (t) => {
  const sealer = openSealer(createMasterKey())
  const secret = sealer.seal('secret', webhookSecretBinding(webhook))
  const headers = sealer.seal('[["Authorization","Bearer canary-pass"]]', webhookHeadersBinding(webhook))
  const claim = { ...webhook, secret, headers }
  t.deepEqual(openHeaders(sealer, claim), [['Authorization', 'Bearer canary-pass']])
  for (const wrong of [
    { ...claim, webhookId: 'other' },
    { ...claim, headers: secret },
  ]) {
    t.throws(() => openHeaders(sealer, wrong), { message: /belongs to another row/ })
  }
})

test('a claim whose secret cannot be opened is not sent, and its outcome and one line give the reason', async (t) => {
  const [old, sealer] = [openSealer(createMasterKey()), openSealer(createMasterKey())]
  const secret = old.seal('whsec_canary', webhookSecretBinding(webhook))
  const { log, lines } = testLog(t, 'dispatcher')
  const attempt = openingSecrets({ sealer, log }, () => Promise.reject(new Error('nothing may be sent')))
  const claim = { ...webhook, secret, deliveryId: 'd', requestId: 'r' } as Claim
  const { signal } = new AbortController()
  t.deepEqual(await attempt(claim, signal), { status: null, body: '', durationMs: 0, error: 'secret' })
  const [line] = lines.map((text) => JSON.parse(text))
  t.like(line, { event: 'delivery.secret_unopened', level: 'error', webhookId: 'w', deliveryId: 'd', requestId: 'r' })
  t.true(line.reason.includes(old.keyIds()[0]))
})

test('a replaced secret that cannot be opened does not prevent a delivery with the new one', async (t) => {
  const [lost, sealer] = [openSealer(createMasterKey()), openSealer(createMasterKey())]
  const binding = webhookSecretBinding(webhook)
  const sealed = { secret: sealer.seal('new', binding), previousSecret: lost.seal('old', binding) }
  const { log, lines } = testLog(t, 'dispatcher')
  const sent: unknown[] = []
  const attempt = openingSecrets({ sealer, log }, async ({ secret, previousSecret }) => {
    sent.push({ secret, previousSecret })
    return { status: 200, body: '', durationMs: 1, error: null }
  })
  await attempt({ ...webhook, ...sealed, deliveryId: 'd', requestId: 'r' } as Claim, new AbortController().signal)
  t.deepEqual(sent, [{ secret: 'new', previousSecret: null }])
  t.deepEqual(
    lines.map((line) => JSON.parse(line).event),
    ['delivery.old_secret_unopened'],
  )
})
