import test from 'ava'
import type { Page } from 'playwright-core'
import { sharedBrowser } from '../../support/browser/chromium.ts'
import { testVisitor } from '../../support/browser/visitor.ts'
import { type Listd, testListd } from '../../support/processes/listd.ts'
import { shared } from '../../support/test-context/shared.ts'

const browser = sharedBrowser()
const server = shared(async (t) => {
  const listd = await testListd(t)
  const recipes = { indexes: { slug: { pointer: '/slug', alias: true } } }
  await listd.api('POST', '/sync-schema', { body: { lists: { recipes } } })
  return { listd }
})

const write = async ({ api }: Listd, slug: string) => {
  return (await api('POST', '/lists/recipes/items', { body: { data: { slug } } })).json.id as string
}
/** Resolves when the page has its stream, which announces later changes. */
const hinted = (page: Page) => page.waitForResponse((response) => response.url().includes('/realtime?'))
const editor = (page: Page) => page.getByRole('textbox', { name: 'Data as JSON' })

test.serial('the open item shows what another user stores, and keeps the typed text', async (t) => {
  const { listd } = server()
  const id = await write(listd, 'open')
  const { page, visit, faults } = await testVisitor(t, { browser: browser(), listd })
  const reported = hinted(page)
  await visit('/lists/recipes/items/open?view=text')
  await reported
  await editor(page).waitFor()
  await listd.api('PUT', `/lists/recipes/items/${id}/data`, { body: { slug: 'open', by: 'somebody' } })
  await editor(page).getByText('somebody').waitFor()
  await editor(page).focus()
  await page.keyboard.press('ControlOrMeta+a')
  await page.keyboard.insertText('{"slug":"open","by":"me"}')
  await listd.api('PUT', `/lists/recipes/items/${id}/data`, { body: { slug: 'open', by: 'another' } })
  await page
    .getByRole('button', { name: /compare/i })
    .first()
    .waitFor()
  t.regex((await editor(page).textContent()) ?? '', /"by":\s*"me"/)
  // The check of the typed text may conflict with the stored change of the other user.
  t.deepEqual(
    faults.filter((fault) => !fault.includes('412')),
    [],
  )
})

test.serial('a table announces new items, and lists show how many there are, without polling', async (t) => {
  const { listd } = server()
  await write(listd, 'first')
  const { page, visit, faults, requested } = await testVisitor(t, { browser: browser(), listd })
  const reported = hinted(page)
  await visit('/lists/recipes')
  await reported
  const asked = () => requested.filter((url) => url.includes('/lists/recipes/items')).length
  await write(listd, 'second')
  await page.getByRole('button', { name: '1 new item · show' }).waitFor()
  const before = asked()
  await page.clock.install()
  await page.clock.fastForward(60_000)
  await write(listd, 'third')
  await page.getByRole('button', { name: '2 new items · show' }).waitFor()
  t.true(asked() - before <= 3, `${asked() - before} reads`)
  t.deepEqual(faults, [])
})

test.serial('a list that another user creates appears in the lists', async (t) => {
  const { listd } = server()
  const { page, visit, faults } = await testVisitor(t, { browser: browser(), listd })
  const reported = hinted(page)
  await visit('/lists')
  await reported
  await listd.user('POST', '/lists', { body: { name: 'Of somebody else', pathName: 'others' } })
  await page.getByText('Of somebody else').first().waitFor()
  t.deepEqual(faults, [])
})

test.serial('an index that another user creates is shown until it is built, without polling', async (t) => {
  const { listd } = server()
  await write(listd, 'built')
  const { page, visit, faults } = await testVisitor(t, { browser: browser(), listd })
  const reported = hinted(page)
  await visit('/lists/recipes/indexes')
  await reported
  // The clock of the page stops, so that no interval ends.
  await page.clock.install()
  await page.clock.pauseAt(Date.now() + 3_600_000)
  await listd.user('POST', '/lists/recipes/indexes', { body: { pathName: 'of-others', pointer: '/slug' } })
  await page.getByRole('row', { name: /of-others.*ready/ }).waitFor()
  t.deepEqual(faults, [])
})

test.serial('tokens show the changes of other users', async (t) => {
  const { listd } = server()
  const { page, visit, faults } = await testVisitor(t, { browser: browser(), listd })
  const reported = hinted(page)
  await visit('/tokens')
  await reported
  await listd.user('POST', '/tokens', { body: { name: 'of-others', permissions: [{ mode: 'allow', action: '*' }] } })
  await page.getByText('of-others').first().waitFor()
  t.deepEqual(faults, [])
})
