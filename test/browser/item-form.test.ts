import test from 'ava'
import type { Page } from 'playwright-core'
import { checkPage } from '../support/browser/check-page.ts'
import { sharedBrowser } from '../support/browser/chromium.ts'
import { testVisitor, untilLoaded, type Visitor } from '../support/browser/visitor.ts'
import { type Listd, testListd } from '../support/processes/listd.ts'
import { shared } from '../support/test-context/shared.ts'

const events = {
  type: 'object',
  required: ['title', 'starts', 'venue', 'status'],
  properties: {
    title: { type: 'string', title: 'Title', minLength: 3, maxLength: 80 },
    status: { enum: ['draft', 'published', 'cancelled'], default: 'draft' },
    starts: { type: 'string', format: 'date-time', description: 'When doors open.' },
    venue: {
      type: 'object',
      title: 'Venue',
      required: ['name'],
      properties: {
        name: { type: 'string', maxLength: 100 },
        city: { type: 'string', maxLength: 100 },
        seats: { type: 'integer', minimum: 1, maximum: 100_000 },
      },
    },
    tags: { type: 'array', items: { type: 'string', maxLength: 30 }, maxItems: 5 },
    description: { type: 'string' },
    isFree: { type: 'boolean' },
    note: { type: ['string', 'null'] },
    tickets: {
      type: 'array',
      items: {
        oneOf: [
          { title: 'Free', properties: { kind: { const: 'free' } }, required: ['kind'] },
          {
            title: 'Paid',
            properties: { kind: { const: 'paid' }, price: { type: 'number', minimum: 0 } },
            required: ['kind', 'price'],
          },
        ],
      },
    },
    geo: {},
    host: { type: 'string', 'x-list': 'hosts', title: 'Host' },
  },
}

const browser = sharedBrowser()
const server = shared(async (t) => {
  const listd = await testListd(t)
  await listd.api('POST', '/sync-schema', {
    body: {
      lists: {
        events: { name: 'Events', schema: events },
        hosts: { name: 'Hosts', indexes: { name: { pointer: '/name', filtering: true } } },
        plain: { name: 'Plain' },
      },
    },
  })
  return { listd }
})

const dataOf = async ({ api }: Listd, list: string, id: string) =>
  (await api('GET', `/lists/${list}/items/${id}/data`)).text

const idIn = (page: Page) => new URL(page.url()).pathname.split('/').at(-1) ?? ''

/** The browser itself notes each dry run that finds something wrong. */
const tolerant = (visitor: Visitor): Visitor => ({
  ...visitor,
  faults: visitor.faults.filter((fault) => !fault.includes('status of 400')),
})

const saved = (page: Page) => page.getByText('Everything is saved.').waitFor()

/** The items of hosts that the page asked for. */
const hostsAsked = ({ requested }: Visitor) => requested.filter((url) => url.includes('/lists/hosts/items?'))

test.serial('a reference is picked by the title of its item, and tables show that title, one click away', async (t) => {
  const { listd } = server()
  const hosts: string[] = []
  for (const name of ['Ada', 'Grace', 'Barbara'])
    hosts.push((await listd.api('POST', '/lists/hosts/items', { body: { data: { name } } })).json.id)
  const visitor = await testVisitor(t, { browser: browser(), listd })
  const { page } = visitor
  const data = { title: 'Talks', starts: '2026-12-01T18:00:00Z', venue: { name: 'Hall' }, status: 'draft' }
  for (let n = 0; n < 5; n++) {
    const host = [hosts[0], hosts[1], 'nobody'][n % 3]
    await listd.api('POST', '/lists/events/items', { body: { data: { ...data, host } } })
  }
  const { json } = await listd.api('POST', '/lists/events/items', { body: { data: { ...data, title: 'Open stage' } } })
  await visitor.visit(`/lists/events/items/${json.id}`)
  const picker = page.getByRole('combobox', { name: 'Host' })
  await picker.focus()
  await page.keyboard.type('arb')
  await page.getByRole('option', { name: 'Barbara' }).waitFor()
  await checkPage(t, tolerant(visitor), 'item-form-reference')
  await picker.fill('x')
  await page.getByRole('option', { name: 'Take “x” as it is' }).waitFor()
  await page.keyboard.press('Backspace')
  await page.keyboard.type('rac')
  await page.getByRole('option', { name: 'Grace' }).waitFor()
  await page.keyboard.press('Enter')
  await page.getByRole('link', { name: 'Open Grace' }).waitFor()
  await page.keyboard.press('ControlOrMeta+s')
  await saved(page)
  t.is(JSON.parse(await dataOf(listd, 'events', json.id)).host, hosts[1])

  await visitor.visit('/lists/events?column=/title&column=/host')
  await page.getByRole('link', { name: 'Ada' }).first().waitFor()
  t.is(await page.getByRole('link', { name: 'Grace' }).count(), 3)
  t.is(await page.getByRole('cell', { name: 'nobody' }).count(), 1)
  const before = hostsAsked(visitor).length
  await visitor.visit('/lists/events?column=/title&column=/host')
  await page.getByRole('link', { name: 'Ada' }).first().waitFor()
  t.is(hostsAsked(visitor).length - before, 1)
  await checkPage(t, tolerant(visitor), 'items-references')
  await page.getByRole('link', { name: 'Ada' }).first().click()
  await page.getByRole('heading', { level: 1, name: 'Ada' }).waitFor()
})

test.serial('an event is created and edited by a person without JSON', async (t) => {
  const { listd } = server()
  const visitor = await testVisitor(t, { browser: browser(), listd })
  const { page } = visitor
  await visitor.visit('/lists/events/new-item')
  await page.getByRole('textbox', { name: 'Title' }).fill('Opening night')
  await checkPage(t, tolerant(visitor), 'item-form-new')
  await page.getByLabel('starts', { exact: true }).fill('2026-12-31T20:00')
  await page.getByRole('combobox', { name: 'status' }).selectOption('published')
  const venue = page.getByRole('group', { name: 'Venue' })
  await venue.getByRole('textbox', { name: 'name' }).fill('Old harbour')
  await venue.getByRole('textbox', { name: 'seats' }).fill('0')
  await venue.getByText('Must be >= 1.').waitFor()
  await venue.getByRole('textbox', { name: 'seats' }).fill('350')
  await page.getByRole('button', { name: 'Add tags' }).click()
  await page.keyboard.type('music')
  await page.keyboard.press('Enter')
  await page.keyboard.type('free')
  await page.keyboard.press('ControlOrMeta+s')
  await page.getByText('The item was created.').waitFor()
  await saved(page)
  const starts = new Date('2026-12-31T20:00').toISOString().replace('.000Z', 'Z')
  const first =
    `{"title":"Opening night","status":"published","starts":"${starts}","venue":{"name":"Old harbour","seats":350},` +
    '"tags":["music","free"]}'
  t.is(await dataOf(listd, 'events', idIn(page)), first)
  await untilLoaded(page)
  await checkPage(t, tolerant(visitor), 'item-form')

  await page.getByRole('button', { name: 'Move tags 2 up' }).click()
  await page.getByRole('button', { name: 'Remove tags 2' }).click()
  await page.getByRole('radiogroup', { name: 'isFree' }).getByLabel('No').check()
  await page.getByRole('button', { name: 'Set note to null' }).click()
  await page.getByRole('button', { name: 'Add tickets' }).click()
  await page.getByRole('combobox', { name: 'tickets 1' }).selectOption('Paid')
  await page.getByRole('textbox', { name: 'price' }).fill('12.50')
  await page.getByRole('textbox', { name: 'description' }).fill('First line\nsecond line')
  await page.keyboard.press('ControlOrMeta+s')
  await saved(page)
  t.is(
    await dataOf(listd, 'events', idIn(page)),
    `{"title":"Opening night","status":"published","starts":"${starts}","venue":{"name":"Old harbour","seats":350},` +
      '"tags":["free"],"description":"First line\\nsecond line","isFree":false,"note":null,' +
      '"tickets":[{"kind":"paid","price":12.50}]}',
  )
  await checkPage(t, tolerant(visitor), 'item-form-edited')
})
