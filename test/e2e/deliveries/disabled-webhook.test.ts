import test from 'ava'
import { createWebhookSecret } from '#shared/crypto/signature.ts'
import { testReceiver } from '../../support/receivers/egress.ts'
import { createItem, setScene } from '../../support/webhooks/scene.ts'
import { verifyStandardSignature } from '../../support/webhooks/verify-signature.ts'

test('operators are notified of a disabled webhook, even if the dispatcher dies while it sends the notice', async (t) => {
  const operator = await testReceiver(t, { scheme: 'http', reply: { hang: 'before-head' } })
  const secret = createWebhookSecret()
  const env = {
    LISTD_WEBHOOKS_RETRY_SECONDS: '0,0,0,0,0,0,0',
    LISTD_WEBHOOKS_DISABLE_AFTER: '1',
    LISTD_WEBHOOKS_ALLOW_HTTP: 'true',
    LISTD_NOTIFICATIONS_URL: operator.url,
    LISTD_NOTIFICATIONS_SECRET: secret,
  }
  const scene = await setScene(t, { env })
  const { listd, receiver, webhooks } = scene
  receiver.reply = { status: 500 }
  await createItem(scene)
  await operator.received(1)
  operator.reply = {}
  listd.signal('webhook-dispatcher', 'SIGKILL')
  const [first, second] = await operator.received(2)
  if (!first || !second) return t.fail('the notice was not sent again')
  t.deepEqual([second.headers['webhook-id'], second.body], [first.headers['webhook-id'], first.body])
  t.like(verifyStandardSignature(second, secret), {
    type: 'webhook.disabled',
    data: {
      webhook: { id: webhooks[0]?.id, host: `127.0.0.1:${receiver.port}` },
      account: { id: listd.credentials.accountId },
    },
  })
})
