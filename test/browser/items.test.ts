import test from 'ava'
import { checkPage } from '../support/browser/check-page.ts'
import { sharedBrowser } from '../support/browser/chromium.ts'
import { testVisitor, untilLoaded } from '../support/browser/visitor.ts'
import { type Listd, testListd } from '../support/processes/listd.ts'
import { shared } from '../support/test-context/shared.ts'

const dishes = 1_000
/** The number of dishes that serve nine. */
const large = dishes / 2

const browser = sharedBrowser()
const server = shared(async (t) => {
  const listd = await testListd(t)
  await fill(listd)
  return { listd }
})

/** A list of dishes, created by one batch; doubles would change how some numbers are written. */
async function fill({ api }: Listd): Promise<void> {
  const indexes = {
    slug: { pointer: '/slug', alias: true },
    title: { pointer: '/title', sorting: true, filtering: true },
    serves: { pointer: '/serves', valueType: 'number', sorting: true, filtering: true },
    minutes: { pointer: '/minutes', valueType: 'number' },
    words: { pointer: '/title', searching: true },
  }
  await api('POST', '/sync-schema', { body: { lists: { dishes: { indexes } } } })
  const operations = Array.from({ length: dishes }, (_, n) => {
    const data = `{"slug":"dish-${n}","title":"Dish <b>${n}</b>","serves":${n % 2 ? 9 : 4},"minutes":1e400,"batch":9007199254740993}`
    return `{"op":"create","tags":["new"],"data":${data}}`
  })
  await api('POST', '/lists/dishes/items/batch?includeData=false', { text: `{"operations":[${operations}]}` })
}

test.serial('items are filtered and ordered by keyboard, and the address reflects it', async (t) => {
  const { page, visit, faults } = await testVisitor(t, { browser: browser(), ...server() })
  await visit('/lists/dishes')
  await page.getByText(`1–100 of ${dishes.toLocaleString('en')}`).waitFor()
  t.true((await page.getByRole('cell', { name: '9007199254740993', exact: true }).count()) > 0)
  t.true((await page.getByRole('cell', { name: '1e400', exact: true }).count()) > 0)

  await page.keyboard.press('/')
  await page.getByLabel('Field').first().selectOption({ label: 'serves' })
  await page.keyboard.press('Tab')
  await page.keyboard.type('at l')
  await page.keyboard.press('Tab')
  await page.keyboard.type('9')
  await page.keyboard.press('Enter')
  await page.getByText(`1–100 of ${large} that match`).waitFor()
  t.is(new URL(page.url()).search, '?serves=gte%3A9')

  await page.getByRole('button', { name: 'Order: Newest' }).click()
  await page.getByRole('button', { name: 'title, A to Z' }).click()
  await page.getByRole('link', { name: 'Dish <b>1</b>', exact: true }).waitFor()
  t.is(new URL(page.url()).search, '?serves=gte%3A9&order=title')
  t.is(await page.getByRole('columnheader', { name: 'title' }).getAttribute('aria-sort'), 'ascending')

  await page.keyboard.press('j')
  await page.keyboard.press('x')
  await page.keyboard.press('j')
  await page.keyboard.press('x')
  await page.getByText('2 selected').waitFor()
  await page.keyboard.press('Enter')
  await page.waitForURL('**/lists/dishes/items/*')
  await untilLoaded(page)
  t.deepEqual(faults, [])
})

test.serial('a negated filter is applied, and alternative conditions are a chip like others', async (t) => {
  const { page, visit } = await testVisitor(t, { browser: browser(), ...server() })
  const where = JSON.stringify({ or: [{ alias: 'eq:dish-1' }, { alias: 'in:dish-2,dish-3' }] })
  await visit(`/lists/dishes?where=${encodeURIComponent(where)}`)
  await page.getByText('1–3 of 3 that match').waitFor()
  await page.getByRole('button', { name: 'Filter', exact: true }).click()
  await page.getByLabel('Field').last().selectOption({ label: 'serves' })
  await page.getByLabel('How').last().selectOption({ label: 'is not' })
  await page.getByLabel('Value').last().fill('9')
  await page.keyboard.press('Enter')
  await page.getByText('1–1 of 1 that matches').waitFor()
  t.is(new URL(page.url()).searchParams.get('serves'), 'not:9')
  await page.getByRole('link', { name: 'Dish <b>2</b>', exact: true }).waitFor()
})

test.serial('a change of all matches runs batch by batch, and stops when the user stops it', async (t) => {
  const { listd } = server()
  const { page, visit } = await testVisitor(t, { browser: browser(), listd })
  const second = Promise.withResolvers<void>()
  let batches = 0
  await page.route('**/items/batch?**', async (route) => {
    batches += 1
    if (batches === 2) await second.promise
    await route.continue()
  })
  await visit('/lists/dishes?serves=9')
  await page.getByText(`1–100 of ${large} that match`).waitFor()
  await page.getByRole('checkbox', { name: 'Select all on this page' }).check()
  await page.getByRole('button', { name: `all ${large} that match` }).click()
  await page.getByRole('button', { name: 'Tags…' }).click()
  await page.getByLabel('Tags', { exact: true }).fill('Large')
  await page.getByRole('button', { name: 'Add tags' }).click()
  await page.getByRole('dialog').getByText(`100 of ${large}`).waitFor()
  await page.getByRole('button', { name: 'Stop' }).click()
  second.resolve()
  await page.getByText('200 items were changed.').waitFor()
  t.is(batches, 2)
  const tagged = await listd.api('GET', '/lists/dishes/items?tagged=large&limit=1')
  t.is(tagged.json.total, 200)

  await page.getByRole('dialog').getByRole('button', { name: 'Close' }).last().click()
  await page.getByRole('button', { name: 'Undo' }).click()
  await page.getByText('200 items were restored.').waitFor()
  const after = await listd.api('GET', '/lists/dishes/items?tagged=large&limit=1')
  t.is(after.json.total, 0)
})

test.serial('rejected items are reported individually, and a deletion of chosen items is undone', async (t) => {
  const { listd } = server()
  const { page, visit } = await testVisitor(t, { browser: browser(), listd })
  const { json } = await listd.api('PUT', '/lists/dishes/items/dish-999', { body: { readonly: true } })
  await visit('/lists/dishes')
  for (const name of ['Select Dish <b>999</b>', 'Select Dish <b>998</b>'])
    await page.getByRole('checkbox', { name }).check()
  await page.getByRole('button', { name: 'Delete…' }).click()
  await page.getByRole('dialog').getByRole('textbox').waitFor()
  await page.keyboard.type('2')
  await page.keyboard.press('Enter')
  await page.getByText('1 item was deleted.').first().waitFor()
  await page.getByRole('list', { name: 'Rejected items' }).getByRole('link', { name: json.id }).waitFor()
  await page.getByRole('dialog').getByRole('button', { name: 'Close' }).last().click()
  await page.getByRole('button', { name: 'Undo' }).click()
  await page.getByText('1 item was restored.').waitFor()
  await page.getByRole('link', { name: 'Dish <b>998</b>', exact: true }).waitFor()
  for (const slug of ['dish-998', 'dish-999']) t.is((await listd.api('GET', `/lists/dishes/items/${slug}`)).status, 200)
})

test.serial('an incomplete search says so', async (t) => {
  const visitor = await testVisitor(t, { browser: browser(), ...server() })
  const { page, visit } = visitor
  const cutShort = page.getByText('better matches could be missing')
  await visit('/lists/dishes?search=dish')
  await page.getByRole('status').getByText('with any of these words, best first.').waitFor()
  t.is(await cutShort.count(), 0)
  // A search that is really cut short needs 20,000 items.
  await page.route('**/lists/dishes/search?**', async (route) => {
    const response = await route.fetch()
    await route.fulfill({ response, headers: { ...response.headers(), 'x-search-truncated': 'true' } })
  })
  await page.reload()
  await cutShort.waitFor()
  await checkPage(t, visitor, 'items-truncated')
})

test.serial('words are searched by keyboard, and the last one may be a prefix', async (t) => {
  const { page, visit, faults } = await testVisitor(t, { browser: browser(), ...server() })
  await visit('/lists/dishes')
  await page.keyboard.press('s')
  await page.keyboard.type('b 7 dis')
  await page.keyboard.press('Enter')
  await page.getByText('1 item with all of these words, best first.').waitFor()
  t.is(await page.locator('.items .lead a').first().textContent(), 'Dish <b>7</b>')
  t.is(new URL(page.url()).search, '?search=b+7+dis&prefix=true&match=all')
  await page.keyboard.press('Control+a')
  await page.keyboard.type('nothing')
  await page.keyboard.press('Enter')
  await page.getByRole('heading', { name: 'No item has all of these words' }).waitFor()
  await page.getByRole('button', { name: 'Clear the search' }).first().click()
  await page.getByText('1–100 of').waitFor()
  await visit('/lists/dishes?search=b+7+8&serves=9')
  await page.getByText(`1–100 of ${large} that match`).waitFor()
  t.deepEqual(faults, [])
})

test.serial('new items are announced, and shown on request', async (t) => {
  const { listd } = server()
  const { page, visit } = await testVisitor(t, { browser: browser(), listd })
  await visit('/lists/dishes')
  await listd.api('POST', '/lists/dishes/items', { body: { data: { slug: 'late', title: 'Late' } } })
  const news = page.getByRole('button', { name: '1 new item · show' })
  await news.waitFor()
  t.is(await page.getByRole('link', { name: 'Late', exact: true }).count(), 0)
  await news.click()
  await page.getByRole('link', { name: 'Late', exact: true }).waitFor()
})

test.serial('an address that cannot be shown says so, and shows nothing else instead', async (t) => {
  const { page, visit } = await testVisitor(t, { browser: browser(), ...server() })
  await visit('/lists/dishes?servs=9&order=minutes')
  await page.getByText('This address cannot be shown.').waitFor()
  t.is(await page.getByRole('table').count(), 0)
  await page.getByRole('button', { name: 'Leave them out' }).click()
  await untilLoaded(page)
  await page.getByRole('table').waitFor()
})
