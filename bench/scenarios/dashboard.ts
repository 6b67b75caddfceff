import type { Page } from 'playwright-core'
import { sessionCookie } from '#services/gateway/auth/credential.ts'
import { inPage } from '../../test/support/browser/in-page.ts'
import { launchChromium } from '../../test/support/browser/launch-chromium.ts'
import { ratios } from '../../test/support/load/statistics.ts'
import { cleared } from '../support/cleared.ts'
import { alternate, type Pace } from '../support/loads/pace.ts'
import { figure, spread } from '../support/measures/report.ts'
import { makeAccount } from '../support/worlds/account.ts'
import { startListd } from '../support/worlds/listd.ts'

const itemCount = 100
const largeBytes = 1024 * 1024
const throttling = 4

/** Until chromium has painted a page of 100 items after its answer, and an item of 1 MiB after the click that opens it. */
export async function dashboard({ rounds }: Pace): Promise<void> {
  await using world = await startWorld()
  const { page } = world
  await openItems(page) // lets the browser compile
  const items = await alternate(rounds * 3, { subject: () => openItems(page), yardstick: () => bareTable(page) })
  const whole = items.subject.map(({ whole }) => whole)
  figure(
    'first rows of 100 items, after the answer',
    `${spread(items.subject.map(({ first }) => first))} ms; target <= 50`,
  )
  figure('  all rows', `${spread(whole)} ms`)
  figure(
    '  a bare table of the same texts',
    `${spread(items.yardstick)} ms, ratio ${spread(ratios(whole, items.yardstick), 1)}`,
  )
  await world.openLarge('text')
  await world.openLarge('form')
  const large = await alternate(rounds, { subject: () => world.openLarge('text'), yardstick: () => bareText(page) })
  figure('an item of 1 MiB as text, after the click', `${spread(large.subject)} ms; target <= 500`)
  const form = await alternate(rounds, { subject: () => world.openLarge('form'), yardstick: () => bareText(page) })
  figure('an item of 1 MiB as a form, after the click', `${spread(form.subject)} ms; target <= 500`)
  figure(
    '  a bare text of as many bytes',
    `${spread(large.yardstick)} ms, ratio ${spread(ratios(large.subject, large.yardstick), 1)}`,
  )
}

type World = AsyncDisposable & { page: Page; openLarge(view: 'text' | 'form'): Promise<number> }

async function startWorld(): Promise<World> {
  await using started = new AsyncDisposableStack()
  const listd = started.use(await startListd())
  const account = await makeAccount(listd)
  await account.makeLists(['many'])
  await account.makeLists(['large'], {})
  for (let n = 0; n < itemCount; n++) await account.createItem('many', `item-${n}`)
  const largeId = await account.createItemOf('large', JSON.stringify(largeData()))
  const browser = await launchChromium()
  started.use(cleared(() => browser.close()))
  const context = await browser.newContext({ viewport: { width: 1280, height: 800 }, baseURL: listd.address })
  await context.addCookies([{ name: sessionCookie, value: account.session, url: listd.address }])
  const page = await context.newPage()
  await (await context.newCDPSession(page)).send('Emulation.setCPUThrottlingRate', { rate: throttling })
  const all = started.move()
  return {
    page,
    openLarge: (view) => openLarge(page, `/lists/large/items/${largeId}?view=${view}`, view),
    [Symbol.asyncDispose]: () => all.disposeAsync(),
  }
}

/** Objects of 256 bytes, as many as an item may hold. */
function largeData(): object[] {
  const row = (n: number) => ({
    n: String(n).padStart(6, '0'),
    title: 'x'.repeat(100),
    text: 'y'.repeat(110),
    on: true,
  })
  return Array.from({ length: largeBytes / 256 - 1 }, (_, n) => row(n))
}

/** Code that runs in a page: opens a page of the dashboard, and detects when something is painted. */
const helpers = `
  const open = (path) => {
    const link = document.body.appendChild(Object.assign(document.createElement('a'), { href: '/dashboard' + path }))
    link.click()
    link.remove()
  }
  // A frame that begins after the document has changed paints the change.
  const painted = (isThere) => new Promise((resolve) => {
    const look = () => (isThere() ? setTimeout(() => resolve(performance.now())) : requestAnimationFrame(look))
    requestAnimationFrame(look)
  })`

/** Runs a body of JavaScript in the page. @returns its result */
function run<T>(page: Page, body: string): Promise<T> {
  return inPage(page, `(async () => { ${helpers}\n${body} })()`)
}

/** Milliseconds from the response to the first rows, as many as a window shows, and to all rows. */
async function openItems(page: Page): Promise<{ first: number; whole: number }> {
  await page.goto('/dashboard/lists')
  await page.getByRole('link', { name: 'many' }).waitFor()
  return run(
    page,
    `const rows = (count) => painted(() => document.querySelectorAll('td.tick').length >= count)
    open('/lists/many')
    const [first, whole] = await Promise.all([rows(30), rows(${itemCount})])
    const answers = performance.getEntriesByType('resource').filter(({ name }) => name.includes('/lists/many/items?'))
    const { responseEnd } = answers.at(-1)
    return { first: first - responseEnd, whole: whole - responseEnd }`,
  )
}

/** Milliseconds from the click to the text in its editor, or to the fields of the form. */
async function openLarge(page: Page, path: string, view: 'text' | 'form'): Promise<number> {
  await page.goto('/dashboard/lists')
  await page.getByRole('link', { name: 'large' }).waitFor()
  return run(
    page,
    `const hosts = () => [...document.querySelectorAll('*')].filter(({ shadowRoot }) => shadowRoot)
    const isText = () => hosts().some(({ shadowRoot }) => shadowRoot.querySelector('.cm-line')?.textContent)
    const isForm = () => document.querySelector('.data-form summary, .data-form input') !== null
    const isThere = ${view === 'text' ? 'isText' : 'isForm'}
    const begin = performance.now()
    open('${path}')
    return (await painted(isThere)) - begin`,
  )
}

/** Milliseconds until a table with this many rows, without its own style, is painted. */
function bareTable(page: Page): Promise<number> {
  return run(
    page,
    `const texts = [...document.querySelectorAll('tbody tr')].map((row) => [...row.cells].map(({ textContent }) => textContent))
    // What goes away costs a frame of its own.
    document.body.replaceChildren()
    await painted(() => true)
    const begin = performance.now()
    const table = document.createElement('table')
    for (const cells of texts) {
      const row = table.insertRow()
      for (const text of cells) row.insertCell().textContent = text
    }
    document.body.replaceChildren(table)
    return (await painted(() => true)) - begin`,
  )
}

/** Milliseconds until a text of as many bytes is painted in an element that keeps its lines. */
function bareText(page: Page): Promise<number> {
  return run(
    page,
    `const text = 'x'.repeat(79).concat('\\n').repeat(${largeBytes / 80})
    const begin = performance.now()
    document.body.replaceChildren(Object.assign(document.createElement('textarea'), { value: text }))
    return (await painted(() => true)) - begin`,
  )
}
