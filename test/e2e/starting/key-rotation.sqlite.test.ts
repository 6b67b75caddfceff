import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import test from 'ava'
import { openSealer } from '#shared/crypto/seal.ts'
import { insertWebhook } from '#shared/data/webhooks/webhooks.ts'
import { initialValues } from '#shared/domain/fields/values.ts'
import { type Webhook, webhookFields } from '#shared/domain/webhook/fields.ts'
import { webhookSecretBinding } from '#shared/domain/webhook/secret.ts'
import { until } from '../../support/assertions/until.ts'
import { makeList, testId } from '../../support/databases/contents/rows.ts'
import { programOn, settingsOf } from '../../support/processes/command-line.ts'
import { testProcess } from '../../support/processes/process.ts'
import { everythingIsDelivered } from '../../support/webhooks/delivered.ts'
import { addWebhook, createItem, receivedBy, type Scene, setScene } from '../../support/webhooks/scene.ts'
import { verifyServiceSignature, verifyStandardSignature } from '../../support/webhooks/verify-signature.ts'

const listd = join(import.meta.dirname, '../../../scripts/listd')
const others = 2_000

/** Adds so many webhooks to another account that resealing them takes a while. */
async function addSealed({ db }: Scene, keyText: string): Promise<void> {
  const sealer = openSealer(keyText)
  const { accountId } = await makeList(db)
  await db.transaction(async (tx) => {
    for (let n = 0; n < others; n++) {
      const id = testId()
      const own = { id, accountId, createdAt: 0, updatedAt: 0, url: 'https://127.0.0.1/', listIds: [], where: {} }
      const webhook: Webhook = { ...initialValues(webhookFields), ...own, events: ['item.created'] }
      const sealedSecret = sealer.seal(id, webhookSecretBinding({ accountId, webhookId: id }))
      await insertWebhook(tx, webhook, { sealedSecret, epoch: 1 })
    }
  })
}

test('the master key is rotated while listd runs, even if the rotation is killed: every delivery is signed as before, and the old key is removed', async (t) => {
  const scene = await setScene(t, { webhooks: 1, env: { LISTD_NATS_URL: '' } })
  const { listd: running, db, webhooks } = scene
  const { dataDir } = running
  const keyText = () => readFile(join(dataDir, 'master-key'), 'utf8')
  const [oldId = ''] = openSealer(await keyText()).keyIds()
  await addSealed(scene, await keyText())
  const countOf = async (keyId: string) =>
    Number((await db.get('select count(*) as n from webhooks where secret like ?', [`v1.${keyId}.%`]))?.n)
  const acknowledged: string[] = []
  async function deliver(): Promise<void> {
    const before = webhooks.map((webhook) => receivedBy(webhook).length)
    acknowledged.push(await createItem(scene))
    const arrived = () => webhooks.every((webhook, n) => receivedBy(webhook).length > (before[n] ?? 0))
    await until(arrived, { what: 'a delivery to every webhook' })
    for (const webhook of webhooks) {
      const request = receivedBy(webhook).at(-1)
      if (request)
        t.deepEqual(verifyServiceSignature(request, webhook.secret), verifyStandardSignature(request, webhook.secret))
    }
  }
  await deliver()

  const rotation = testProcess(t, [listd, 'secrets', 'rotate'], { env: { ...process.env, ...settingsOf(dataDir) } })
  const newId = async () => openSealer(await keyText()).keyIds()[0] ?? ''
  await until(async () => (await newId()) !== oldId && (await countOf(await newId())) > 0, {
    what: 'a resealed secret',
  })
  rotation.child.kill('SIGKILL')
  await rotation.ended
  t.true((await countOf(oldId)) > 0, 'the rotation was killed before its end')

  await addWebhook(scene, { path: '/added' })
  await deliver()
  const [first] = webhooks
  if (!first) throw new Error('no webhook')
  const replaced = await running.user('POST', `/webhooks/${first.id}/secret`)
  const oldSecret = first.secret
  first.secret = replaced.json.secret
  await deliver()
  const pid = running.pidOf('webhook-dispatcher')
  running.signal('webhook-dispatcher', 'SIGKILL')
  await running.replaced('webhook-dispatcher', pid)
  await deliver()

  const { code, stderr } = await programOn(dataDir)(['secrets', 'rotate'])
  t.is(code, 0, stderr)
  t.is(await countOf(oldId), 0)
  t.deepEqual(openSealer(await keyText()).keyIds(), [await newId()])
  t.true((await readdir(dataDir)).includes(`master-key.${oldId}`))
  await deliver()
  const natsPassword = async () => new URL((await readFile(join(dataDir, 'nats-url'), 'utf8')).trim()).password
  const before = await natsPassword()
  await running.stop()
  await running.restart()
  t.not(await natsPassword(), before, 'each start has its own password of nats-server')
  await deliver()
  const last = receivedBy(first).at(-1)
  if (last) t.notThrows(() => verifyStandardSignature(last, oldSecret), 'a replaced secret still signs, sealed anew')
  await everythingIsDelivered(t, { ...scene, webhooks: [] }, { acknowledged })
})
