import test from 'ava'
import { checkPage } from '../support/browser/check-page.ts'
import { sharedBrowser } from '../support/browser/chromium.ts'
import { testVisitor } from '../support/browser/visitor.ts'
import { type Listd, testListd } from '../support/processes/listd.ts'
import { shared } from '../support/test-context/shared.ts'

const browser = sharedBrowser()
const server = shared(async (t) => ({ listd: await testListd(t) }))

/** A list with three items; two have the same slug, and `serves` of one is a text. */
async function dishes({ api }: Listd, list: string, schema: object | null = null): Promise<string[]> {
  await api('POST', '/lists', { body: { pathName: list, schema } })
  const ids: string[] = []
  for (const data of [
    { slug: 'soup', serves: 2 },
    { slug: 'soup', serves: 'many' },
    { slug: 'cake', serves: 8 },
  ]) {
    const { json } = await api('POST', `/lists/${list}/items`, { body: { data } })
    ids.push(json.id)
  }
  return ids
}

test.serial(
  'an index is created by a click on a value: its values are shown before, and its build after',
  async (t) => {
    const { listd } = server()
    const [first, second] = await dishes(listd, 'picked')
    const visitor = await testVisitor(t, { browser: browser(), listd })
    const { page } = visitor
    await visitor.visit('/lists/picked/indexes')
    await page.getByRole('link', { name: 'New index' }).first().click()
    await page.getByRole('button', { name: '/slug: "cake"' }).click()
    await page.getByText('All 3 checked items have a string at /slug.').waitFor()
    await page.getByRole('checkbox', { name: 'alias' }).check()
    await page.getByText('1 value belongs to several items.').waitFor()
    for (const id of [first, second]) await page.getByRole('link', { name: `…${id?.slice(-12)}` }).waitFor()
    await page.getByRole('checkbox', { name: 'alias' }).uncheck()
    await page.getByRole('button', { name: '/serves: 8' }).click()
    await page.getByText('2 of 3 checked items have a number at /serves. 1 has no such value, and').waitFor()
    await page.getByText('the index would not find it.').waitFor()
    await checkPage(t, visitor, 'new-index')
    await page.getByRole('checkbox', { name: 'sorting' }).check()
    await page.getByRole('link', { name: 'Back to all indexes' }).click()
    await page.getByRole('dialog', { name: 'Leave without saving?' }).getByRole('button', { name: 'Stay' }).click()
    await page.getByRole('button', { name: 'Create the index' }).click()
    const row = page.getByRole('row', { name: '/serves' })
    await row.getByText('ready').waitFor()
    const { json } = await listd.api('GET', '/lists/picked/indexes/serves')
    t.like(json, { pointer: '/serves', valueType: 'number', sorting: true, buildStatus: 'ready' })
  },
)

test.serial('an index that cannot be built shows which items are the reason, and is built again', async (t) => {
  const { listd } = server()
  const [first] = await dishes(listd, 'twice')
  const visitor = await testVisitor(t, { browser: browser(), listd })
  const { page } = visitor
  await listd.api('POST', '/lists/twice/indexes', { body: { pathName: 'slug', pointer: '/slug', alias: true } })
  await visitor.visit('/lists/twice/indexes')
  await page.getByText('Several items have the same value').waitFor()
  await page.getByRole('link', { name: `…${first?.slice(-12)}` }).waitFor()
  await checkPage(t, visitor, 'failed-index')
  await listd.api('PUT', `/lists/twice/items/${first}`, { body: { data: { slug: 'stew' } } })
  await page.getByRole('button', { name: 'Build it again' }).click()
  await page.getByRole('row', { name: '/slug' }).getByText('ready').waitFor()
})

test.serial('a schema that is changed in the tree keeps keywords that the tree does not know', async (t) => {
  const { listd } = server()
  const schema = { 'x-owner': { team: 'kitchen' }, properties: { '10': { 'x-unit': 'g' }, slug: { type: 'string' } } }
  await dishes(listd, 'shaped', schema)
  const visitor = await testVisitor(t, { browser: browser(), listd })
  const { page } = visitor
  await visitor.visit('/lists/shaped/schema')
  await page.getByRole('combobox', { name: 'Type of 10' }).selectOption({ label: 'integer or null' })
  await page.getByRole('checkbox', { name: 'slug is required' }).check()
  await page.getByRole('textbox', { name: 'Name of a new property' }).fill('serves')
  await page.getByRole('button', { name: 'Add a property' }).click()
  await page.getByRole('button', { name: 'Save' }).click()
  await page.getByText('The schema was saved.').waitFor()
  const { json } = await listd.api('GET', '/lists/shaped')
  t.deepEqual(json.schema, {
    'x-owner': { team: 'kitchen' },
    properties: {
      '10': { 'x-unit': 'g', type: ['integer', 'null'] },
      slug: { type: 'string' },
      serves: { type: 'string' },
    },
    required: ['slug'],
  })
})

test.serial('stored items that do not match a schema are found before it is saved, each with a link', async (t) => {
  const { listd } = server()
  const [, second] = await dishes(listd, 'checked', { properties: { serves: {} } })
  const visitor = await testVisitor(t, { browser: browser(), listd })
  const { page } = visitor
  await visitor.visit('/lists/checked/schema')
  await page.getByRole('button', { name: 'Check 3 stored items' }).click()
  await page.getByText('All 3 stored items match.').waitFor()
  await page.getByRole('combobox', { name: 'Type of serves' }).selectOption({ label: 'integer' })
  await page.getByRole('button', { name: 'Check 3 stored items' }).click()
  await page.getByText('1 of 3 stored items does not match.').waitFor()
  const link = page.getByRole('link', { name: second ?? '' })
  t.is(await link.getAttribute('href'), `/dashboard/lists/checked/items/${second}`)
  await checkPage(t, visitor, 'failing-items')
})

test.serial('an invalid schema is not saved: its error is shown at the line', async (t) => {
  const { listd } = server()
  await dishes(listd, 'wrong', { minProperties: 1 })
  const visitor = await testVisitor(t, { browser: browser(), listd })
  const { page } = visitor
  await visitor.visit('/lists/wrong/schema')
  const editor = page.getByRole('textbox', { name: 'Schema' })
  await editor.click()
  await page.keyboard.press('Control+a')
  await page.keyboard.type('{\n"properties": { "a": { "type": "txt" } }')
  await page.keyboard.type('}')
  await page.getByRole('button', { name: 'Line 2' }).waitFor()
  t.true(await page.getByRole('button', { name: 'Save' }).isDisabled())
  await page.getByRole('button', { name: 'Discard' }).click()
  await page.getByText('All changes are saved.').waitFor()
})

test.serial('a list is deleted by typing how many items are deleted with it, unless it is protected', async (t) => {
  const { listd } = server()
  await dishes(listd, 'gone')
  await listd.api('PUT', '/lists/gone', { body: { protected: true } })
  const visitor = await testVisitor(t, { browser: browser(), listd })
  const { page } = visitor
  await visitor.visit('/lists/gone/settings')
  const remove = page.getByRole('button', { name: 'Delete this list…' })
  t.true(await remove.isDisabled())
  await page.getByRole('checkbox', { name: 'protected' }).uncheck()
  await page.getByRole('button', { name: 'Save' }).click()
  await page.getByText('The settings were saved.').waitFor()
  await remove.click()
  const sends = page.getByRole('button', { name: 'Delete the list' })
  t.true(await sends.isDisabled())
  await page.keyboard.type('3')
  await page.keyboard.press('Enter')
  await page.getByText('The list gone was deleted.').waitFor()
  t.is((await listd.api('GET', '/lists/gone')).status, 404)
})
