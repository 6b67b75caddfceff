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
    speakers: {
      type: 'array',
      items: {
        type: 'object',
        properties: { name: { type: 'string' }, handle: { type: 'string', pattern: '^@' } },
      },
    },
    host: { type: 'string', 'x-list': 'hosts', title: 'Host' },
  },
}

/** A schema with every kind of field. */
const kinds = {
  type: 'object',
  required: ['tree', 'position'],
  definitions: {
    tree: {
      type: 'object',
      properties: { label: { type: 'string' }, children: { type: 'array', items: { $ref: '#/definitions/tree' } } },
    },
  },
  properties: {
    tree: { $ref: '#/definitions/tree' },
    position: {
      items: [
        { type: 'number', title: 'Latitude' },
        { type: 'number', title: 'Longitude' },
      ],
      minItems: 2,
      additionalItems: false,
    },
    opens: { type: 'string', format: 'time' },
    day: { type: 'string', format: 'date' },
    at: { type: ['string', 'null'], format: 'date-time' },
    code: { type: ['string', 'integer'] },
    level: {
      oneOf: [
        { const: 1, title: 'Low' },
        { const: 2, title: 'High' },
      ],
    },
    pay: {
      oneOf: [
        { title: 'Card', properties: { kind: { const: 'card' }, number: { type: 'string' } }, required: ['kind'] },
        { title: 'Cash', properties: { kind: { const: 'cash' } }, required: ['kind'] },
      ],
    },
    labels: { type: 'object', patternProperties: { '^x-': { type: 'string' } }, additionalProperties: false },
    both: { allOf: [{ properties: { a: { type: 'integer' } } }, { properties: { b: { type: 'boolean' } } }] },
    matrix: { type: 'array', items: { type: 'array', items: { type: 'number' } } },
  },
}

const browser = sharedBrowser()
const server = shared(async (t) => {
  const listd = await testListd(t)
  await listd.api('POST', '/sync-schema', {
    body: {
      lists: {
        events: { name: 'Events', schema: events },
        named: { name: 'Named', indexes: { slug: { pointer: '/slug', alias: true } } },
        hosts: { name: 'Hosts', indexes: { name: { pointer: '/name', filtering: true } } },
        kinds: { name: 'Kinds', schema: kinds },
        plain: { name: 'Plain' },
        talks: { name: 'Talks', indexes: { host: { pointer: '/hostIds' } } },
      },
    },
  })
  return { listd }
})

const dataOf = async ({ api }: Listd, list: string, id: string) =>
  (await api('GET', `/lists/${list}/items/${id}/data`)).text

const idIn = (page: Page) => new URL(page.url()).pathname.split('/').at(-1) ?? ''

/** Without the reports of the browser itself about dry runs that find an error, or that a save has overtaken. */
const tolerant = (visitor: Visitor): Visitor => ({
  ...visitor,
  faults: visitor.faults.filter((fault) => !/status of 4(00|12)/.test(fault)),
})

const saved = (page: Page) => page.getByText('All changes are saved.').waitFor()

/** The page's requests for items of hosts. */
const hostsAsked = ({ requested }: Visitor) => requested.filter((url) => url.includes('/lists/hosts/items?'))

test.serial('a reference is chosen by the title of its item, and tables show that title, one click away', async (t) => {
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
  await page.getByRole('option', { name: 'Use “x” as typed' }).waitFor()
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
  await page.keyboard.press('ControlOrMeta+s')
  await page.getByText('Is required.').first().waitFor()
  // Digit by digit, as a person types it.
  await page.getByLabel('starts', { exact: true }).focus()
  await page.keyboard.type('12312026')
  await page.keyboard.press('ArrowRight')
  await page.keyboard.type('0800PM')
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

const base = '"title":"Talks","starts":"2026-12-01T18:00:00Z","status":"draft"'

/** Opens an item with data from a text as a form. */
async function open(visitor: Visitor, list: string, data: string): Promise<string> {
  const { json } = await server().listd.api('POST', `/lists/${list}/items`, { text: `{"data":${data}}` })
  await visitor.visit(`/lists/${list}/items/${json.id}`)
  return json.id
}

test.serial('an index named like the ids of a list makes its texts references, elements of arrays too', async (t) => {
  const { listd } = server()
  const ids: string[] = []
  for (const name of ['Alan', 'Edsger'])
    ids.push((await listd.api('POST', '/lists/hosts/items', { body: { data: { name } } })).json.id)
  const visitor = await testVisitor(t, { browser: browser(), listd })
  const { page } = visitor
  const id = await open(visitor, 'talks', `{"title":"On form","hostIds":["${ids[0]}"]}`)
  await page.getByRole('link', { name: 'Open Alan' }).waitFor()
  await page.getByRole('button', { name: 'Add an element to hostIds' }).click()
  await page.keyboard.type('edsg')
  await page.getByRole('option', { name: 'Edsger' }).click()
  await page.keyboard.press('ControlOrMeta+s')
  await saved(page)
  t.is(await dataOf(listd, 'talks', id), `{"title":"On form","hostIds":["${ids[0]}","${ids[1]}"]}`)
  await visitor.visit('/lists/talks')
  for (const name of ['Alan', 'Edsger']) await page.getByRole('link', { name }).waitFor()
  await checkPage(t, tolerant(visitor), 'items-index-references')
})

test.serial(
  'a value that no field can show is edited as JSON in its place, and is not saved until it is valid JSON',
  async (t) => {
    const { listd } = server()
    const visitor = await testVisitor(t, { browser: browser(), listd })
    const { page } = visitor
    await listd.user('PUT', '/lists/events', { body: { schema: null } })
    const odd = '"10":1.0,"2":1e400,"\\u0061":"\\/"'
    const id = await open(visitor, 'events', `{${base},"venue":"at home",${odd}}`)
    await listd.user('PUT', '/lists/events', { body: { schema: events } })
    await visitor.visit(`/lists/events/items/${id}`)
    const venue = page.getByRole('textbox', { name: 'Venue' })
    t.is(await venue.inputValue(), '"at home"')
    await venue.fill('{"name": ')
    await page.getByText(/^Is not valid JSON/).waitFor()
    for (const name of ['Save', 'Text']) t.true(await page.getByRole('button', { name }).isDisabled(), name)
    await page.getByRole('link', { name: 'History' }).click()
    await page.getByRole('link', { name: 'Data' }).click()
    t.is(await venue.inputValue(), '{"name": ')
    await venue.fill('{"name": "Home"}')
    await page.getByRole('textbox', { name: 'Title' }).focus()
    t.is(await page.getByRole('group', { name: 'Venue' }).getByRole('textbox', { name: 'name' }).inputValue(), 'Home')
    await page.keyboard.press('ControlOrMeta+s')
    await saved(page)
    t.is(await dataOf(listd, 'events', id), `{${base},"venue":{"name":"Home"},${odd}}`)
  },
)

test.serial(
  'an error of the service is shown at its field, even in a folded element, and the list links to it',
  async (t) => {
    const { listd } = server()
    const visitor = await testVisitor(t, { browser: browser(), listd })
    const { page } = visitor
    const speakers = Array.from({ length: 5 }, (_, n) => `{"name":"Speaker ${n}"}`)
    await open(visitor, 'events', `{${base},"venue":{"name":"Hall"},"speakers":[${speakers}]}`)
    await page.getByText('Speaker 3').click()
    await page.getByRole('textbox', { name: 'handle' }).fill('ada')
    await page.getByText(/^Must match pattern/).waitFor()
    await page.getByText('Speaker 3').click()
    await page.getByRole('textbox', { name: 'handle' }).waitFor({ state: 'detached' })
    await page.getByText('1 error', { exact: true }).last().waitFor()
    await checkPage(t, tolerant(visitor), 'item-form-error')
    await page.getByRole('list', { name: 'Errors' }).getByRole('button').click()
    const focused = page.getByRole('textbox', { name: 'handle' }).and(page.locator(':focus'))
    await focused.waitFor()
    await focused.fill('@ada')
    await page.getByRole('list', { name: 'Errors' }).waitFor({ state: 'detached' })
  },
)

test.serial(
  'every kind of field is accessible, and a value that is changed and changed back is unchanged',
  async (t) => {
    const visitor = await testVisitor(t, { browser: browser(), listd: server().listd })
    const { page } = visitor
    const data =
      '{"odd":{"\\u0061":[true,null,1e400]},"tree":{"label":"root","children":[{"label":"leaf","children":[]}]},' +
      '"position":[59.910,1.0e1],"opens":"18:00:00+02:00","day":"2026-12-24","at":"2026-12-24T18:00:00.5+09:00","code":7,' +
      '"level":2,"pay":{"number":"1\\u0032","kind":"card"},"labels":{"x-a":"b"},"both":{"a":3,"b":true},"matrix":[[1,2],[3]]}'
    const id = await open(visitor, 'kinds', data)
    await checkPage(t, visitor, 'item-form-kinds')
    for (const choice of ['Cash', 'Card']) await page.getByRole('combobox', { name: 'pay' }).selectOption(choice)
    for (const choice of ['Text', 'Whole number'])
      await page.getByRole('combobox', { name: 'code' }).selectOption(choice)
    await page.getByRole('textbox', { name: 'Latitude' }).fill('1')
    await page.getByText('Not saved yet').waitFor()
    await page.getByRole('textbox', { name: 'Latitude' }).fill('59.910')
    await page.getByLabel('day', { exact: true }).fill('2026-12-25')
    await page.getByLabel('day', { exact: true }).fill('2026-12-24')
    await saved(page)
    t.is(await dataOf(server().listd, 'kinds', id), data)
    await page.getByLabel('opens', { exact: true }).fill('19:30')
    await page.getByText('Not saved yet').waitFor()
    await page.keyboard.press('ControlOrMeta+s')
    await saved(page)
    t.is(await dataOf(server().listd, 'kinds', id), data.replace('18:00:00+02:00', '19:30:00+02:00'))
  },
)

test.serial('an alias that another item has is reported at its field', async (t) => {
  const visitor = await testVisitor(t, { browser: browser(), listd: server().listd })
  const { page } = visitor
  await open(visitor, 'named', '{"slug":"first"}')
  const id = await open(visitor, 'named', '{"slug":"second"}')
  await page.getByRole('textbox', { name: 'slug' }).fill('first')
  await page.getByText('Is the alias of another item.').waitFor()
  await page.getByRole('textbox', { name: 'slug' }).fill('third')
  await page.getByText('Is the alias of another item.').waitFor({ state: 'detached' })
  await page.keyboard.press('ControlOrMeta+s')
  await saved(page)
  t.is(await dataOf(server().listd, 'named', id), '{"slug":"third"}')
})

test.serial('a list without a schema has a form inferred from its items, which forbids nothing', async (t) => {
  const { listd } = server()
  const visitor = await testVisitor(t, { browser: browser(), listd })
  const { page } = visitor
  for (const day of ['2026-01-01', '2026-01-02', '2026-01-03'])
    await open(visitor, 'plain', `{"name":"A","day":"${day}","size":{"w":1.0},"all":[1,2]}`)
  await visitor.visit('/lists/plain/new-item')
  await page.getByRole('textbox', { name: 'name' }).fill('B')
  await page.getByLabel('day', { exact: true }).fill('2026-02-28')
  await page.getByRole('button', { name: 'Add size' }).click()
  await page.getByRole('textbox', { name: 'w' }).fill('9007199254740993.0')
  await page.getByRole('button', { name: 'Add all' }).click()
  await page.getByRole('textbox', { name: 'all 1' }).fill('many')
  await page.getByRole('button', { name: 'Add a member to the data' }).click()
  await page.keyboard.type('extra')
  await page.keyboard.press('Enter')
  await page.getByRole('combobox', { name: 'extra' }).selectOption('Yes or no')
  await page.getByRole('radiogroup', { name: 'extra' }).getByLabel('Yes').check()
  await checkPage(t, visitor, 'item-form-plain')
  await page.keyboard.press('ControlOrMeta+s')
  await page.getByText('The item was created.').waitFor()
  await saved(page)
  t.is(
    await dataOf(listd, 'plain', idIn(page)),
    '{"name":"B","day":"2026-02-28","size":{"w":9007199254740993.0},"all":["many"],"extra":true}',
  )
})
