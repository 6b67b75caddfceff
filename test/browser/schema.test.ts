import test from 'ava'
import { checkPage } from '../support/browser/check-page.ts'
import { sharedBrowser } from '../support/browser/chromium.ts'
import { inPage } from '../support/browser/in-page.ts'
import { testVisitor, type Visitor } from '../support/browser/visitor.ts'
import { testListd } from '../support/processes/listd.ts'
import { shared } from '../support/test-context/shared.ts'

const browser = sharedBrowser()
const server = shared(async (t) => ({ listd: await testListd(t) }))

test.serial(
  'the plan of a dropped document is shown in words, and destructive changes are confirmed by typing before it is applied',
  async (t) => {
    const { listd } = server()
    const old = { name: 'Old', indexes: { title: { pointer: '/title', sorting: true } } }
    await listd.api('POST', '/sync-schema', { body: { scope: 'drop', lists: { drafts: {}, kept: old } } })
    for (const title of ['a', 'b', 'c']) await listd.api('POST', '/lists/drafts/items', { body: { data: { title } } })
    await listd.api('POST', '/lists/kept/items', { body: { data: { title: 7 } } })
    const visitor = await testVisitor(t, { browser: browser(), ...server() })
    const { page } = visitor
    await visitor.visit('/schema')
    const schema = { type: 'object', properties: { title: { type: 'string' } } }
    const indexes = { title: { pointer: '/name', sorting: true } }
    await drop(
      visitor,
      JSON.stringify({ scope: 'drop', lists: { kept: { name: 'New', schema, indexes }, created: {} } }),
    )
    await page.getByText('1 to create, 2 to update').waitFor()
    await page.getByLabel('Prune').check()
    await page.getByText('1 to create, 2 to update, 1 to delete').waitFor()
    await page.getByRole('button', { name: 'Show the plan' }).click()
    const apply = page.getByRole('button', { name: 'Apply 4 changes' })
    await apply.waitFor()
    for (const words of [
      '"Old" → "New"',
      'Stored items that do not match the new schema: 1 of 1.',
      'Rebuild with the values of 1 item.',
      'Deletes 3 items and 0 indexes.',
      'This permanently deletes 3 items.',
    ]) {
      await page.getByText(words).first().waitFor()
    }
    await checkPage(t, visitor, 'schema-plan')
    t.true(await apply.isDisabled())
    await page.getByLabel('Rebuild 1 index').check()
    await page.getByLabel('Type 3 to confirm').fill('2')
    t.true(await apply.isDisabled())
    await page.getByLabel('Type 3 to confirm').fill('3')
    await apply.click()
    await page.getByRole('heading', { name: 'Applied to drop' }).waitFor()
    const { json } = await listd.api('GET', '/lists/kept')
    t.like(json, { name: 'New', schema, scope: 'drop' })
    t.is((await listd.api('GET', '/lists/drafts')).status, 404)
  },
)

test.serial('a plan that has changed since is not applied: the new one is shown, with the differences', async (t) => {
  const { listd } = server()
  await listd.api('POST', '/sync-schema', { body: { scope: 'race', lists: { menus: {}, wines: {} } } })
  const visitor = await testVisitor(t, { browser: browser(), ...server() })
  const { page } = visitor
  await visitor.visit('/schema')
  await drop(visitor, JSON.stringify({ scope: 'race', lists: { menus: { name: 'Menus' }, wines: { name: 'Wines' } } }))
  await page.getByRole('button', { name: 'Show the plan' }).click()
  await page.getByRole('button', { name: 'Apply 2 changes' }).waitFor()
  await listd.api('PUT', '/lists/menus', { body: { name: 'Cards' } })
  await listd.api('PUT', '/lists/wines', { body: { name: 'Wines' } })
  await page.getByRole('button', { name: 'Apply 2 changes' }).click()
  await page.getByText('The lists have changed since the plan was computed').waitFor()
  await page.getByText('update list wines').waitFor()
  await page.getByText('"Cards" → "Menus"').waitFor()
  t.is((await listd.api('GET', '/lists/menus')).json.name, 'Cards')
  await page.getByRole('button', { name: 'Apply 1 change' }).click()
  await page.getByRole('heading', { name: 'Applied to race' }).waitFor()
  t.is((await listd.api('GET', '/lists/menus')).json.name, 'Menus')
})

test.serial('a list of another scope is first moved to that of the document', async (t) => {
  const { listd } = server()
  await listd.api('POST', '/sync-schema', { body: { scope: 'bakery', lists: { breads: {} } } })
  const visitor = await testVisitor(t, { browser: browser(), ...server() })
  const { page } = visitor
  await visitor.visit('/schema')
  await drop(visitor, JSON.stringify({ scope: 'patisserie', lists: { breads: { name: 'Breads' } } }))
  await page.getByRole('button', { name: 'Show the plan' }).click()
  await page.getByText('The list breads is managed by the scope bakery').first().waitFor()
  await page.getByRole('button', { name: 'Move 1 list to patisserie…' }).click()
  const dialog = page.getByRole('dialog', { name: 'Move lists to patisserie' })
  await dialog.getByText('from bakery').waitFor()
  await dialog.getByRole('button', { name: 'Move', exact: true }).click()
  await page.getByRole('button', { name: 'Apply 1 change' }).click()
  await page.getByRole('heading', { name: 'Applied to patisserie' }).waitFor()
  t.like((await listd.api('GET', '/lists/breads')).json, { name: 'Breads', scope: 'patisserie' })
})

/** Drops a file with this text on the editor. */
async function drop({ page }: Visitor, text: string): Promise<void> {
  await page.getByRole('textbox', { name: 'Document' }).waitFor()
  const file = `new File([${JSON.stringify(text)}], 'lists.json', { type: 'application/json' })`
  await inPage(
    page,
    `(() => {
      const dataTransfer = new DataTransfer()
      dataTransfer.items.add(${file})
      const event = new DragEvent('drop', { bubbles: true, cancelable: true, dataTransfer })
      document.querySelector('.editor').dispatchEvent(event)
    })()`,
  )
}
