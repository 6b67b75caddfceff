import test from 'ava'
import type { Page } from 'playwright-core'
import { checkPage } from '../support/browser/check-page.ts'
import { sharedBrowser } from '../support/browser/chromium.ts'
import { inPage } from '../support/browser/in-page.ts'
import { testVisitor, untilLoaded } from '../support/browser/visitor.ts'
import { type Listd, testListd } from '../support/processes/listd.ts'
import { shared } from '../support/test-context/shared.ts'

const browser = sharedBrowser()
const server = shared(async (t) => {
  const listd = await testListd(t)
  await fill(listd)
  return { listd }
})

/** A board of events with everything that a cell can show, wider than a usual window. */
async function fill({ api }: Listd): Promise<void> {
  const schema = { type: 'object', properties: { seats: { type: 'number', minimum: 1 }, begins: { type: 'string' } } }
  const indexes = {
    slug: { pointer: '/slug', alias: true },
    title: { pointer: '/title', filtering: true },
    begins: { pointer: '/begins', valueType: 'date', filtering: true },
  }
  await api('POST', '/sync-schema', { body: { lists: { board: { name: 'Board', schema, indexes } } } })
  for (let n = 1; n <= 5; n++) {
    const text = `{"slug":"concert-of-the-evening-in-the-park-${n}","title":"Concert ${n}","begins":"2026-07-0${n}T18:30:00Z","seats":9007199254740993,
      "open":${n % 2 === 0},"speakers":[{"name":"Ada"},{"name":"Bo"}],"place":{"street":"Long Street ${n}","city":"Vienna"},"tags":["music","open air"],
      "note":"${'A note that is much longer than any column. '.repeat(6)}","empty":null}`
    await api('POST', '/lists/board/items', { text: `{"data":${text}}` })
  }
}

const cell = (page: Page, row: string, name: string | RegExp) =>
  page.getByRole('row').filter({ hasText: row }).getByRole('cell', { name, exact: true })
/** Waits until the cells of the table react to keys and clicks, which is a moment after its rows appear. */
async function cellsHear(page: Page): Promise<void> {
  await page.keyboard.press('j')
  do await page.keyboard.press('ArrowRight')
  while (!(await inPage(page, 'document.activeElement?.tagName === "TD"')))
  await inPage(page, 'document.activeElement.blur()')
}
const item = async ({ api }: Listd, n: number) =>
  (await api('GET', `/lists/board/items/concert-of-the-evening-in-the-park-${n}`)).text

test.serial('a table is for reading: dates, chips, and no column without information', async (t) => {
  const visitor = await testVisitor(t, { browser: browser(), ...server() })
  const { page, visit } = visitor
  await visit('/lists/board')
  const heads = await page.getByRole('columnheader').allTextContents()
  for (const name of ['owner', 'version', 'empty']) t.false(heads.includes(name), name)
  const at = await page.locator('time[title="2026-07-01T18:30:00Z"]').textContent()
  t.is(
    at,
    new Intl.DateTimeFormat('en-US', { dateStyle: 'medium', timeStyle: 'short' }).format(
      Date.parse('2026-07-01T18:30:00Z'),
    ),
  )
  await cell(page, 'Concert 1', '2 elements').waitFor()
  const last = await page.getByRole('columnheader', { name: 'updated' }).boundingBox()
  t.true((last?.x ?? 0) + (last?.width ?? 0) <= 1280)
  await checkPage(t, visitor, 'items-board')
})

test.serial(
  'the exact value of a cell is announced to a user who moves there by keys, and its column gets wider',
  async (t) => {
    const { page, visit, faults } = await testVisitor(t, { browser: browser(), ...server() })
    await visit('/lists/board')
    await cellsHear(page)
    await page.keyboard.press('j')
    await page.keyboard.press('ArrowRight')
    await page.getByRole('status').getByText('2026-07-05T18:30:00Z').waitFor()
    const width = async () => (await page.getByRole('columnheader', { name: 'begins' }).boundingBox())?.width ?? 0
    const before = await width()
    for (let n = 0; n < 4; n++) await page.keyboard.press('Shift+ArrowRight')
    t.true((await width()) > before + 40)
    const wide = await width()
    await page.reload()
    await untilLoaded(page)
    t.true(Math.abs((await width()) - wide) <= 1)
    await page.locator('th').filter({ hasText: 'begins' }).locator('.edge').dblclick()
    await page.waitForFunction('!localStorage.getItem("listd.column-widths")?.includes("begins")')
    t.deepEqual(faults, [])
  },
)

test.serial('a value is changed in its cell by keys, and the change is undone', async (t) => {
  const { listd } = server()
  const visitor = await testVisitor(t, { browser: browser(), listd })
  const { page, visit, faults } = visitor
  const before = await item(listd, 5)
  await visit('/lists/board')
  await cellsHear(page)
  await page.keyboard.press('j')
  await page.keyboard.press('ArrowRight')
  await page.keyboard.press('ArrowRight')
  await page.keyboard.press('Enter')
  const field = page.getByRole('textbox', { name: 'seats' })
  await field.fill('many')
  await page.keyboard.press('Enter')
  await page.getByText('It must be a number, such as 4 or 2.5.').waitFor()
  await checkPage(t, visitor, 'cell-editor')
  await field.fill('0')
  await page.keyboard.press('Enter')
  await page.getByRole('alert').getByText('1').waitFor()
  await page.keyboard.press('Escape')
  t.is(await item(listd, 5), before)
  await page.keyboard.press('Enter')
  await field.fill('9007199254740995')
  await page.keyboard.press('Enter')
  await page.getByText('“seats” was changed.').waitFor()
  t.true((await item(listd, 5)).includes('"seats":9007199254740995'))
  await cell(page, 'Concert 5', '9007199254740995').waitFor()
  await page.getByRole('button', { name: 'Undo' }).click()
  await page.getByText('“seats” was restored.').waitFor()
  t.true((await item(listd, 5)).includes('"seats":9007199254740993'))
  t.deepEqual(
    faults.filter((fault) => !fault.includes('status of 400')),
    [],
  )
})

test.serial('the edit of a cell does not overwrite a change of another user', async (t) => {
  const { listd } = server()
  const { page, visit } = await testVisitor(t, { browser: browser(), listd })
  await visit('/lists/board')
  await cellsHear(page)
  const address = '/lists/board/items/concert-of-the-evening-in-the-park-4/data'
  await cell(page, 'Concert 4', 'true').dblclick()
  await listd.api('PUT', `${address}/note`, { body: 'Another note' })
  await page.getByRole('combobox', { name: 'open' }).selectOption('false')
  await page.keyboard.press('Enter')
  await page.getByText('“open” was changed.').waitFor()
  t.true((await item(listd, 4)).includes('Another note'))

  await cell(page, 'Concert 4', '9007199254740993').dblclick()
  await listd.api('PUT', `${address}/seats`, { body: 7 })
  await page.getByRole('textbox', { name: 'seats' }).fill('8')
  await page.keyboard.press('Enter')
  await page.getByText('Somebody else has changed it: it is 7 now.').waitFor()
  t.true((await item(listd, 4)).includes('"seats":7'))
  await page.keyboard.press('Escape')
  await cell(page, 'Concert 4', '7').waitFor()
})

test.serial('an item is found by its alias and by its id, without an index for words', async (t) => {
  const { listd } = server()
  const { page, visit } = await testVisitor(t, { browser: browser(), listd })
  await visit('/lists/board')
  await cellsHear(page)
  await page.keyboard.press('s')
  await page.keyboard.type('concert-of-the-evening-in-the-park-3')
  await page.keyboard.press('Enter')
  await page.getByText('1 item with this alias or id.').waitFor()
  await page.getByRole('link', { name: 'Concert 3', exact: true }).waitFor()
  await page.keyboard.press('Control+a')
  await page.keyboard.type(JSON.parse(await item(listd, 2)).id)
  await page.keyboard.press('Enter')
  await page.getByRole('link', { name: 'Concert 2', exact: true }).waitFor()
  t.is(await page.locator('.items tbody tr').count(), 1)
})

test.serial('the items of the last days are found with one click', async (t) => {
  const { page, visit } = await testVisitor(t, { browser: browser(), ...server() })
  await visit('/lists/board')
  await cellsHear(page)
  await page.getByRole('button', { name: 'Filter', exact: true }).click()
  await page.getByLabel('Field').last().selectOption({ label: 'created' })
  await page.getByRole('button', { name: 'Last 7 days' }).click()
  await page.getByText('1–5 of 5 that match').waitFor()
  t.regex(String(new URL(page.url()).searchParams.get('createdAt')), /^after:\d{4}-/)
})
