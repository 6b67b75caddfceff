import test from 'ava'
import { checkPage } from '../support/browser/check-page.ts'
import { sharedBrowser } from '../support/browser/chromium.ts'
import { testVisitor } from '../support/browser/visitor.ts'
import { shared } from '../support/test-context/shared.ts'
import { deliveriesOf, quickRetries, untilTotal } from '../support/webhooks/deliveries.ts'
import { createItem, setScene } from '../support/webhooks/scene.ts'

const browser = sharedBrowser()
const scene = shared((t) => setScene(t, { env: quickRetries }))

test.serial(
  'a change is followed from the log of the account to its resource, its deliveries and their attempts',
  async (t) => {
    const { listd, receiver, webhooks } = scene()
    receiver.reply = { status: 500, body: 'out of soup' }
    const item = await createItem(scene())
    const [webhook] = webhooks
    if (!webhook) throw new Error('the scene has no webhook')
    await untilTotal(deliveriesOf(scene(), webhook).list, '?status=failed', 1)
    const body = '{"data":{"title":"Miso","batch":9007199254740993}}'
    await listd.api('PUT', `/lists/recipes/items/${item}`, { text: body })

    const visitor = await testVisitor(t, { browser: browser(), listd })
    const { page, visit } = visitor
    await visit('/events')
    await page.getByLabel('Resource').selectOption('item')
    await page.getByRole('link', { name: 'item updated', exact: true }).click()
    const detail = page.getByRole('complementary', { name: 'The event' })
    await detail.getByText('+ 9007199254740993').waitFor()
    await detail.getByText('It was sent to no webhook, or its deliveries have been deleted.').waitFor()

    await page.getByLabel('What happened').selectOption('item-created')
    await page.getByRole('link', { name: 'item created', exact: true }).click()
    await detail.getByText('failed', { exact: true }).waitFor()
    await detail.getByText('8 attempts').click()
    await detail.getByText('500 Internal Server Error').first().waitFor()
    await checkPage(t, visitor, 'event-trace')
    t.true(new URL(page.url()).search.startsWith('?stream=item&type=item-created&event='))

    await detail.getByRole('link', { name: item }).click()
    await page.getByRole('heading', { level: 1, name: 'Miso' }).waitFor()

    await visit('/events?stream=webhook')
    await page.getByRole('link', { name: 'webhook created' }).click()
    await detail.getByText('+ "').first().waitFor()
    t.notRegex(String(await detail.textContent()), /whsec_/)
    await page.getByLabel('When').selectOption('1h')
    await page.getByRole('link', { name: 'webhook created' }).waitFor()
    t.deepEqual(visitor.faults, [])
  },
)
