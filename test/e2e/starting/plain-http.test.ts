import { execFile } from 'node:child_process'
import { readFile, symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import test, { type ExecutionContext } from 'ava'
import { scriptOf, stepsOf } from '../../support/guides/guide.ts'
import { served } from '../../support/http/api.ts'
import { testReceiver } from '../../support/receivers/egress.ts'
import { testFolder } from '../../support/test-context/folder.ts'
import { deliveriesOf } from '../../support/webhooks/deliveries.ts'
import { addWebhook, createItem, receivedBy, type Scene, setScene } from '../../support/webhooks/scene.ts'
import { verifyStandardSignature } from '../../support/webhooks/verify-signature.ts'

const root = join(import.meta.dirname, '../../..')

test('plain http is delivered if the operator allows it, and rejected by name when that is revoked', async (t) => {
  const config = join(await testFolder(t), 'config.json')
  const allowHttp = (value: boolean) => writeFile(config, JSON.stringify({ webhooks: { allowHttp: value } }))
  await allowHttp(true)
  const scene = await setScene(t, { webhooks: 0, env: { LISTD_CONFIG: config } })
  const { listd } = scene
  t.like(listd.logged('webhooks.http_allowed'), [{ level: 'warn', networks: ['127.0.0.0/8'] }])
  await pageHolds(t, scene)

  const receiver = await testReceiver(t, { scheme: 'http' })
  const webhook = await addWebhook(scene, { receiver })
  const id = await createItem(scene)
  const [request] = await receiver.received(1)
  if (!request) return t.fail('nothing was received')
  t.like(verifyStandardSignature(request, webhook.secret), { type: 'item.created', data: { item: { id } } })

  await allowHttp(false)
  await listd.stop()
  await listd.restart()
  t.is(listd.logged('webhooks.http_allowed').length, 1)
  const ping = await served(deliveriesOf(scene, webhook).ping)
  t.like(ping, { status: 200, json: { status: 'failed', error: 'not-https', response: null } })
  t.like(listd.logged('not-https').at(-1), { event: 'delivery.attempted', webhookId: webhook.id, error: 'not-https' })
  t.is(receivedBy(webhook).length, 1)
  for (const [url, reason] of [
    [receiver.url, 'not-https'],
    ['https://10.0.0.1/', 'private-address'],
    ['https://127.0.0.1:1025/', 'unreachable'],
    ['not a url', 'invalid'],
  ]) {
    const again = await listd.user('POST', '/webhooks', { body: { url, events: [] } })
    t.like(again, { status: 422, json: { name: 'WEBHOOK_URL_REFUSED', details: { reason } } })
  }
})

/** Asserts that docs/webhooks/local-development.md prints what it shows, in a folder with the parts of the project that it uses. */
async function pageHolds(t: ExecutionContext, { listd }: Scene): Promise<void> {
  const folder = await testFolder(t)
  for (const part of ['client', 'node_modules']) await symlink(join(root, part), join(folder, part))
  const steps = stepsOf(await readFile(join(root, 'docs/webhooks/local-development.md'), 'utf8'))
  const script = scriptOf(steps, '.').replaceAll('http://127.0.0.1:3000', listd.address)
  const { session, token } = listd.credentials
  const env = { ...process.env, SESSION: session, TOKEN: token }
  await promisify(execFile)('bash', ['-c', script], { cwd: folder, env, timeout: 120_000 })
  for (const [n, { expected }] of steps.entries()) {
    if (expected !== null) t.is(await readFile(join(folder, `${n}`), 'utf8'), expected)
  }
}
