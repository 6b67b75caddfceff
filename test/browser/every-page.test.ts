import test from 'ava'
import { checkPage } from '../support/browser/check-page.ts'
import { sharedBrowser } from '../support/browser/chromium.ts'
import { pages } from '../support/browser/pages.ts'
import { assertKeepsNoSecret } from '../support/browser/secrets.ts'
import { seed } from '../support/browser/seed.ts'
import { testVisitor, untilLoaded } from '../support/browser/visitor.ts'
import { noteListeners, tabThrough, unreachable } from '../support/browser/walk.ts'
import { testPassword } from '../support/http/credentials.ts'
import { testListd } from '../support/processes/listd.ts'
import { shared } from '../support/test-context/shared.ts'

const browser = sharedBrowser()
const server = shared(async (t) => {
  const listd = await testListd(t)
  await seed(listd)
  return { listd }
})

for (const { name, path, heading } of pages) {
  test.serial(
    `${name}: there are no faults, and the page is accessible, in light, in dark and on a phone`,
    async (t) => {
      const visitor = await testVisitor(t, { browser: browser(), ...server() })
      await visitor.visit(path)
      t.is(await visitor.page.getByRole('heading', { level: 1 }).first().textContent(), heading)
      await checkPage(t, visitor, name)
      await assertKeepsNoSecret(t, visitor, [server().listd.credentials.session])
    },
  )
}

/** All pages of a full account are in `walks/places.test.ts`. */
const walked = ['/', '/lists/recipes', '/lists/recipes/items/pancakes', '/flows/vote%20%3Cb%3E']

test.serial('Tab reaches everything on a page that reacts to a click, and shows where it is', async (t) => {
  const { page, visit } = await testVisitor(t, { browser: browser(), ...server() })
  await noteListeners(page)
  for (const path of walked) {
    await visit(path)
    const { stops, ...faults } = await tabThrough(page)
    t.deepEqual(
      { ...faults, unreachable: await unreachable(page, '.edge') },
      { missed: [], wrong: [], unreachable: [] },
      path,
    )
    t.true(stops > 12, path)
  }
})

test.serial('long names do not push anything out of the page', async (t) => {
  const listd = await server().listd.anotherAccount()
  const name = 'The evenings in the park with everything that one may hear there, and more'.padEnd(100, 'o')
  const pathName = 'evenings-in-the-park-'.padEnd(64, 'x')
  await listd.user('POST', '/lists', { body: { name, pathName } })
  const data = { [`a-property-${'y'.repeat(60)}`]: 'z'.repeat(300), title: `${name} ${name}` }
  await listd.user('POST', `/lists/${pathName}/items`, { body: { data } })
  await listd.user('POST', '/tokens', { body: { name, permissions: [{ mode: 'allow', action: '*' }] } })
  const { json } = await listd.user('POST', '/identities', {
    body: { name: `ada-${'n'.repeat(60)}`, displayName: name },
  })
  const nodes = [{ id: 'answer_'.padEnd(50, 'a'), type: 'respond', body: '1' }]
  const document = { version: 1, name, entry: { type: 'endpoint', path: 'p'.repeat(100) }, nodes }
  const flow = await listd.user('POST', '/flow-definitions', { body: { document } })
  t.is(flow.status, 201, flow.text)
  const visitor = await testVisitor(t, { browser: browser(), listd })
  const places = {
    home: '/',
    lists: '/lists',
    items: `/lists/${pathName}`,
    'list-settings': `/lists/${pathName}/settings`,
    tokens: '/tokens',
    identity: `/identities/${json.id}`,
    flows: '/flows',
    flow: `/flows/${flow.json.id}`,
    events: '/events',
  }
  for (const [place, path] of Object.entries(places)) {
    await visitor.visit(path)
    await checkPage(t, visitor, `long-${place}`)
  }
})

test.serial('an account without lists says what a list is for, and what to do first', async (t) => {
  const listd = await server().listd.anotherAccount()
  const visitor = await testVisitor(t, { browser: browser(), listd })
  await visitor.visit('/lists')
  await visitor.page.getByRole('heading', { name: 'A list holds items of one kind' }).waitFor()
  await checkPage(t, visitor, 'lists-empty')
})

test.serial('a busy server is reported, and its data is read again after a countdown', async (t) => {
  const visitor = await testVisitor(t, { browser: browser(), ...server() })
  const body = JSON.stringify({ name: 'SERVICE_UNAVAILABLE', code: 10011, message: 'Busy.', requestId: 'r-1' })
  let rejected = 0
  await visitor.page.route('**/lists?**', async (route) => {
    rejected += 1
    if (rejected > 1) await route.continue()
    else await route.fulfill({ status: 503, headers: { 'retry-after': '1' }, contentType: 'application/json', body })
  })
  await visitor.visit('/lists')
  await visitor.page.getByRole('link', { name: 'Recipes' }).first().waitFor()
  t.true(rejected > 1)
  // The browser itself reports the one 503.
  t.deepEqual(
    visitor.faults.filter((fault) => !fault.includes('status of 503')),
    [],
  )
})

test.serial(
  'a session that ends during a form keeps the typed text, and continues after the next sign-in',
  async (t) => {
    const { listd } = server()
    await listd.api('POST', '/lists', { body: { name: 'Drafts', pathName: 'drafts' } })
    const visitor = await testVisitor(t, { browser: browser(), listd })
    const { page } = visitor
    await visitor.visit('/lists/drafts/settings')
    await page.getByRole('textbox', { name: 'Description' }).fill('Typed before the session ended')
    await page.context().clearCookies()
    await page.getByRole('button', { name: 'Save' }).click()
    const dialog = page.getByRole('dialog', { name: 'Sign in again' })
    await dialog.getByLabel('Password', { exact: true }).fill(testPassword)
    await dialog.getByRole('button', { name: 'Sign in' }).click()
    await page.getByText('The settings were saved.').first().waitFor()
    const { json } = await listd.api('GET', '/lists/drafts')
    t.is(json.description, 'Typed before the session ended')
    t.deepEqual(
      visitor.faults.filter((fault) => !fault.includes('status of 401')),
      [],
    )
    await assertKeepsNoSecret(t, visitor, [testPassword])
  },
)

test.serial('a link into the dashboard survives the sign-in, which leaves no password behind', async (t) => {
  const { listd } = server()
  const visitor = await testVisitor(t, { browser: browser(), listd, signedIn: false })
  const { page } = visitor
  await visitor.visit('/lists/recipes/settings')
  await checkPage(
    t,
    { ...visitor, faults: visitor.faults.filter((fault) => !fault.includes('status of 401')) },
    'sign-in',
  )
  await page.getByLabel('E-mail').fill(listd.credentials.email)
  await page.getByLabel('Password', { exact: true }).fill(testPassword)
  await page.getByRole('button', { name: 'Sign in' }).click()
  await page.getByRole('heading', { level: 1, name: 'Recipes' }).waitFor()
  await untilLoaded(page)
  await assertKeepsNoSecret(t, visitor, [testPassword])
  const [cookie] = await page.context().cookies()
  t.like(cookie, { httpOnly: true, sameSite: 'Lax' })
  await assertKeepsNoSecret(t, visitor, [String(cookie?.value)])
})
