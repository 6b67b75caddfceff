import test from 'ava'
import type { Page } from 'playwright-core'
import { sharedBrowser } from '../support/browser/chromium.ts'
import { testVisitor, untilLoaded, type Visitor } from '../support/browser/visitor.ts'
import { testPassword } from '../support/http/credentials.ts'
import { type Listd, testListd } from '../support/processes/listd.ts'
import { shared } from '../support/test-context/shared.ts'

/** Numbers that a double cannot represent, keys that an object would reorder, and escapes. */
const odd = '"10":1.0,"2":1e400,"big":9007199254740993,"\\u0061":"\\/"'

const browser = sharedBrowser()
const server = shared(async (t) => {
  const listd = await testListd(t)
  const properties = { slug: { type: 'string' }, title: { type: 'string' }, serves: { type: 'integer' } }
  const recipes = {
    schema: { type: 'object', required: ['slug'], properties },
    indexes: { slug: { pointer: '/slug', alias: true }, cost: { pointer: '/cost', valueType: 'number', guard: true } },
  }
  await listd.api('POST', '/sync-schema', { body: { lists: { recipes } } })
  return { listd }
})

/** An item of the list with data from a text. @returns its id */
async function itemOf({ api }: Listd, data: string): Promise<string> {
  const { json } = await api('POST', '/lists/recipes/items', { text: `{"data":${data}}` })
  return json.id
}

/** The writes that the page sends, without dry runs. */
function writesOf({ page }: Visitor): string[] {
  const writes: string[] = []
  page.on('request', (request) => {
    const { pathname, searchParams } = new URL(request.url())
    if (request.method() !== 'GET' && !searchParams.has('dryRun')) writes.push(`${request.method()} ${pathname}`)
  })
  return writes
}

const editor = (page: Page) => page.getByRole('textbox', { name: 'Data as JSON' })

/** Replaces the text in the editor, as by pasting it. */
async function type(page: Page, text: string): Promise<void> {
  await editor(page).focus()
  await page.keyboard.press('ControlOrMeta+a')
  await page.keyboard.insertText(text)
}

const saved = (page: Page) => page.getByText('All changes are saved.').waitFor()

test.serial('data are edited and saved byte for byte, and unchanged fields are not sent', async (t) => {
  const { listd } = server()
  const id = await itemOf(listd, `{"slug":"bytes",${odd},"serves":1}`)
  const visitor = await testVisitor(t, { browser: browser(), listd })
  const { page } = visitor
  const writes = writesOf(visitor)
  await visitor.visit('/lists/recipes/items/bytes?view=text')
  await editor(page).waitFor()
  await page.keyboard.press('ControlOrMeta+s')
  await saved(page)
  t.deepEqual(writes, [])

  await type(page, `{ "slug": "bytes",\n${odd}, "serves": 2 }`)
  await page.getByText('Not saved yet.').waitFor()
  await page.keyboard.press('ControlOrMeta+s')
  await saved(page)
  t.deepEqual(writes, [`PUT /lists/recipes/items/${id}`])
  const { text } = await listd.api('GET', `/lists/recipes/items/${id}/data`)
  t.is(text, `{"slug":"bytes",${odd},"serves":2}`)
  t.deepEqual(visitor.faults, [])
})

test.serial('a violation of the schema is shown below its line before anything is saved', async (t) => {
  const { listd } = server()
  await itemOf(listd, '{"slug":"checked","serves":1}')
  const visitor = await testVisitor(t, { browser: browser(), listd })
  const { page } = visitor
  await visitor.visit('/lists/recipes/items/checked?view=text')
  await editor(page).waitFor()
  await type(page, '{\n  "slug": "checked",\n  "serves": "twelve"\n}')
  const errors = page.getByRole('list', { name: 'Errors' })
  await errors.getByRole('button', { name: '/serves must be integer' }).click()
  await page.locator('.cm-message', { hasText: '/serves must be integer' }).waitFor()
  t.true(await page.getByRole('button', { name: 'Save' }).isDisabled())
  await page.getByRole('complementary').getByText('/serves', { exact: true }).first().waitFor()

  await type(page, '{\n  "slug": "checked"\n  "serves": 12\n}')
  await errors.getByRole('button', { name: /\(line 3\)/ }).waitFor()
  await type(page, '{"slug":"checked","serves":12}')
  await errors.waitFor({ state: 'detached' })
  await page.keyboard.press('ControlOrMeta+s')
  await saved(page)
})

test.serial(
  'two people changed an item: independent changes are merged, and the user chooses between the others',
  async (t) => {
    const { listd } = server()
    const id = await itemOf(listd, `{"slug":"joined","title":"Base",${odd},"serves":1}`)
    const { page, visit } = await testVisitor(t, { browser: browser(), listd })
    await visit(`/lists/recipes/items/${id}?view=text`)
    await editor(page).waitFor()
    await type(page, `{"slug":"joined","title":"Mine",${odd},"serves":2}`)
    await listd.api('PATCH', `/lists/recipes/items/${id}/data`, {
      text: '[{"op":"replace","path":"/title","value":"Theirs"},{"op":"replace","path":"/2","value":1e401}]',
    })
    await page.keyboard.press('ControlOrMeta+s')
    const dialog = page.getByRole('dialog', { name: 'Somebody else changed this item' })
    await dialog
      .getByRole('group', { name: '/title' })
      .getByRole('radio', { name: /^Yours/ })
      .check()
    await dialog.getByRole('button', { name: 'Merge and save' }).click()
    await saved(page)
    const { text } = await listd.api('GET', `/lists/recipes/items/${id}/data`)
    t.is(text, `{"slug":"joined","title":"Mine",${odd.replace('1e400', '1e401')},"serves":2}`)
  },
)

test.serial(
  'leaving the page with an unsaved draft needs a confirmation, and the draft survives the end of the session',
  async (t) => {
    const { listd } = server()
    const id = await itemOf(listd, '{"slug":"kept"}')
    const { page, visit } = await testVisitor(t, { browser: browser(), listd })
    await visit('/lists/recipes/items/kept?view=text')
    await editor(page).waitFor()
    await page.context().clearCookies()
    await type(page, '{"slug":"kept","serves":3}')
    const dialog = page.getByRole('dialog', { name: 'Sign in again' })
    await dialog.getByLabel('Password', { exact: true }).fill(testPassword)
    await dialog.getByRole('button', { name: 'Sign in' }).click()
    await page.getByText('Not saved yet.').waitFor()
    await page.getByRole('link', { name: 'Home' }).click()
    await page.getByRole('dialog', { name: 'Leave without saving?' }).getByRole('button', { name: 'Stay' }).click()
    await page.getByRole('link', { name: 'History' }).click()
    await page.getByRole('link', { name: 'Data' }).click()
    await page.getByText('Not saved yet.').waitFor()
    await page.getByRole('button', { name: 'Discard' }).click()
    await page.getByRole('link', { name: 'Home' }).click()
    await page.getByRole('heading', { name: 'Home' }).waitFor()
    t.is((await listd.api('GET', `/lists/recipes/items/${id}/data`)).text, '{"slug":"kept"}')
  },
)

test.serial('an item is deleted, found by its id, and restored under it', async (t) => {
  const { listd } = server()
  const data = `{"slug":"gone",${odd}}`
  const id = await itemOf(listd, data)
  const { page, visit } = await testVisitor(t, { browser: browser(), listd })
  await visit('/lists/recipes/items/gone?tab=details')
  await page.getByRole('button', { name: 'Delete the item' }).click()
  await page.waitForURL('**/dashboard/lists/recipes')
  await visit(`/lists/recipes/items/${id}`)
  await page.getByText('This item was deleted').waitFor()
  await page.getByRole('button', { name: 'Restore the item like this' }).click()
  await page.getByRole('link', { name: 'Details' }).waitFor()
  await untilLoaded(page)
  t.is((await listd.api('GET', `/lists/recipes/items/${id}/data`)).text, data)
})

test.serial('keys go from an item to its neighbours in the table', async (t) => {
  const { listd } = server()
  const older = await itemOf(listd, '{"slug":"older"}')
  const newer = await itemOf(listd, '{"slug":"newer"}')
  const { page, visit } = await testVisitor(t, { browser: browser(), listd })
  await visit('/lists/recipes')
  await page.getByRole('table').waitFor()
  await page.keyboard.press('j')
  await page.keyboard.press('Enter')
  for (const [id, key] of [
    [newer, ']'],
    [older, '['],
    [newer, '['],
  ] as const) {
    await page.waitForURL(`**/lists/recipes/items/${id}`)
    await page.getByRole('group', { name: 'Data as a form' }).waitFor()
    await page.keyboard.press(key)
  }
  t.true(page.url().endsWith(newer))
})
