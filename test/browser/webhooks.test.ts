import test from 'ava'
import { checkPage } from '../support/browser/check-page.ts'
import { sharedBrowser } from '../support/browser/chromium.ts'
import { assertKeepsNoSecret } from '../support/browser/secrets.ts'
import { testVisitor, untilLoaded } from '../support/browser/visitor.ts'
import type { Reply } from '../support/receivers/reply.ts'
import { shared } from '../support/test-context/shared.ts'
import { deliveriesOf, quickRetries, untilTotal } from '../support/webhooks/deliveries.ts'
import { createItem, receivedBy, setScene, setSceneOn } from '../support/webhooks/scene.ts'

const browser = sharedBrowser()
const base = shared((t) => setScene(t, { webhooks: 0, env: quickRetries }))

/** The ways in which the receiver fails, one for each item: its reply, and the page's name for it. */
const ways: readonly { reply: Reply; answer: string }[] = [
  { reply: { status: 502, body: 'the app is down' }, answer: '502 Bad Gateway' },
  { reply: { status: 429 }, answer: '429 Too Many Requests' },
  { reply: { status: 302, headers: { location: '/elsewhere' } }, answer: '302 Found' },
  { reply: { raw: 'SSH-2.0-OpenSSH_9.7\r\n', close: 'after-body' }, answer: 'invalid HTTP' },
  { reply: { reset: 'before-head' }, answer: 'no connection' },
]

test.serial(
  'the user of a webhook that broke at night sees what failed, why, and what happens next, and sends it again',
  async (t) => {
    const scene = await setSceneOn(t, base(), { webhooks: 1 })
    const { listd, receiver, webhooks } = scene
    const [webhook] = webhooks
    if (!webhook) return t.fail()
    const ids: string[] = []
    receiver.reply = ({ body }) => {
      const at = ids.findIndex((id) => String(body).includes(id))
      // The delivery may arrive before the answer to the request that created its item.
      return ways[(at < 0 ? ids.length : at) % ways.length]?.reply ?? {}
    }
    for (let n = 0; n < 2 * ways.length; n++) {
      ids.push(await createItem(scene))
      await untilTotal(deliveriesOf(scene, webhook).list, '?status=failed', n + 1)
    }
    receiver.reply = {}
    const before = receivedBy(webhook).length

    const visitor = await testVisitor(t, { browser: browser(), listd })
    const { page, visit } = visitor
    await visit('/')
    const need = page.getByRole('listitem').filter({ hasText: 'is failing' })
    await need.getByText('10 deliveries in a row failed for good.').waitFor()
    const day = page.getByRole('region', { name: 'The last 24 hours' })
    const reported = 'Deliveries in the last 24 hours, by hour: 0 received · 10 failed.'
    await day.getByRole('img', { name: reported }).waitFor()
    await day.getByRole('region', { name: 'Why deliveries failed' }).getByRole('link').first().waitFor()
    await checkPage(t, visitor, 'home-failures')
    await need.getByRole('link', { name: 'See deliveries' }).click()
    await untilLoaded(page)
    for (const { answer } of ways) t.is(await page.getByRole('row').filter({ hasText: answer }).count(), 2, answer)

    const causes = page.getByRole('region', { name: 'Why deliveries fail' })
    for (const { answer } of ways)
      await causes.getByRole('listitem').filter({ hasText: answer }).getByText('2', { exact: true }).waitFor()
    await page.getByRole('combobox', { name: 'Response' }).selectOption('5xx')
    await page.getByRole('row').filter({ hasText: '429' }).first().waitFor({ state: 'detached' })
    await page.getByRole('link', { name: 'item.created' }).first().click()
    const pane = page.getByRole('complementary', { name: 'The delivery' })
    await pane.getByText('The request reached a proxy of the receiver, but not the app behind it.').waitFor()
    await pane.getByText('It is not sent again automatically.').waitFor()
    t.is(await pane.getByRole('list').getByRole('listitem').count(), 8)
    await pane.getByText('the app is down').waitFor()
    await checkPage(t, visitor, 'delivery')

    await page.getByRole('button', { name: 'Resend…' }).click()
    await page.getByText('2 deliveries will be sent again, oldest first.').waitFor()
    await page.getByRole('button', { name: 'Send 2 again' }).click()
    await page.getByText('2 deliveries will be sent again.', { exact: true }).waitFor()
    await receiver.received(before + 2)

    await page.getByRole('combobox', { name: 'Response' }).selectOption('')
    await page.getByRole('button', { name: 'Resend…' }).click()
    await page.getByRole('button', { name: 'Send 8 again' }).click()
    await receiver.received(before + 10)
    const again = receivedBy(webhook).slice(before)
    t.deepEqual(again.map(({ body }) => ids.find((id) => String(body).includes(id))).toSorted(), ids.toSorted())
    await untilTotal(deliveriesOf(scene, webhook).list, '?status=succeeded', 10)
    await page.getByText('healthy').waitFor()
  },
)

test.serial('a webhook is created, tested, given another secret, deactivated and deleted', async (t) => {
  const scene = await setSceneOn(t, base(), { webhooks: 0 })
  const { listd, receiver } = scene
  const visitor = await testVisitor(t, { browser: browser(), listd })
  const { page, visit } = visitor
  const secrets: string[] = []
  const takeSecret = async () => {
    const dialog = page.getByRole('dialog', { name: 'The signing secret' })
    secrets.push(String(await dialog.locator('code.secret-value').textContent()))
    await dialog.getByRole('button', { name: 'I have saved it' }).click()
    await dialog.waitFor({ state: 'detached' })
  }

  await visit('/new-webhook')
  await page.getByLabel('URL').fill('https://nobody.invalid/')
  await page.getByLabel('Description').fill('kitchen')
  await page.getByRole('button', { name: 'Create the webhook' }).click()
  await page.getByText('has a host name that cannot be resolved').waitFor()
  visitor.faults.length = 0
  await page.getByLabel('URL').fill(receiver.url)
  await page.getByLabel('Lists', { exact: true }).selectOption({ label: 'Only these lists' })
  await page.getByLabel('Path name of a list to add').fill('recipes')
  await page.getByRole('button', { name: 'Add', exact: true }).click()
  await page.getByRole('button', { name: 'Remove recipes' }).waitFor()
  await page.getByRole('button', { name: 'Create the webhook' }).click()
  await takeSecret()
  await page.getByRole('heading', { level: 1, name: 'kitchen' }).waitFor()

  receiver.reply = { status: 201 }
  await page.getByRole('button', { name: 'Send test' }).click()
  await page.getByText('The receiver accepted the test.').waitFor()
  await page.getByRole('button', { name: 'Close' }).click()

  const [ping] = receivedBy({ id: '', secret: '', receiver, path: '/hook' })
  if (!ping) return t.fail('no ping was received')
  await page.getByRole('link', { name: 'Verify' }).click()
  await page.getByLabel('Headers').fill(
    Object.entries(ping.headers)
      .map((header) => header.join(': '))
      .join('\n'),
  )
  await page.getByLabel('Body').fill(String(ping.body))
  await page.getByRole('button', { name: 'Verify' }).click()
  await page.getByText('It is from this webhook.').waitFor()
  await page.getByLabel('Body').fill(JSON.stringify(JSON.parse(String(ping.body)), null, 1))
  await page.getByRole('button', { name: 'Verify' }).click()
  await page.getByText('A receiver rejects this.').waitFor()
  await checkPage(t, visitor, 'verify')

  await page.getByRole('link', { name: 'Settings' }).last().click()
  await page.getByRole('button', { name: 'Replace the secret…' }).click()
  await page.getByRole('button', { name: 'Replace it' }).click()
  await takeSecret()
  await page.getByText('also has the signature of the old secret until').waitFor()
  t.is(new Set(secrets).size, 2)
  await assertKeepsNoSecret(t, visitor, secrets)

  await page.getByLabel('Most requests a second').fill('5')
  await page.keyboard.press('Enter')
  await page.getByText('The webhook was saved.').waitFor()
  await page.getByRole('button', { name: 'Switch off' }).click()
  await page.getByRole('button', { name: 'Activate' }).waitFor()
  const [created] = (await listd.user('GET', '/webhooks')).json.data
  t.like(created, { activated: false, maxRequestsPerSecond: 5, description: 'kitchen', listIds: [created.listIds[0]] })

  await page.getByRole('button', { name: 'Delete this webhook…' }).click()
  await page.getByRole('button', { name: 'Delete the webhook' }).click()
  await page.getByText('A webhook notifies your app of every change').waitFor()
  t.deepEqual(visitor.faults, [])
})
