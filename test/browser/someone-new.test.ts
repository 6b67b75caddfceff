import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import test from 'ava'
import type { Page } from 'playwright-core'
import { sharedBrowser } from '../support/browser/chromium.ts'
import { keyboardOf } from '../support/browser/keyboard.ts'
import { testVisitor } from '../support/browser/visitor.ts'
import { testPassword } from '../support/http/credentials.ts'
import { startFresh } from '../support/processes/first-run.ts'
import { testFolder } from '../support/test-context/folder.ts'

const browser = sharedBrowser()
const screenshots = join(import.meta.dirname, '../../dist/screenshots')

const recipes = `{"recipes": [
  {"slug": "pancakes", "title": "Pancakes", "serves": 4, "batch": 9007199254740993},
  {"slug": "miso-soup", "title": "Miso soup", "serves": 2, "batch": 1e400},
  {"slug": "waffles", "title": "Waffles", "serves": 6, "batch": 1.0}
]}`

test('a new user sets up, creates a list from JSON, adds an item and finds it, only with the keyboard', async (t) => {
  const listd = await startFresh(t, await testFolder(t))
  const { page, faults } = await testVisitor(t, { browser: browser(), listd, signedIn: false })
  const { tabTo, press, type } = keyboardOf(page)
  const picture = await pictures(page)

  // The link that `listd start` prints.
  await page.goto(/set up +(\S+)/.exec(listd.banner.join('\n'))?.[1] ?? '')
  await tabTo(page.getByRole('textbox', { name: 'Email' }))
  await type('ada@example.com')
  await tabTo(page.getByRole('textbox', { name: 'Password' }))
  await type(testPassword)
  await press('Enter')
  await page.getByRole('heading', { name: 'listd is set up' }).waitFor()
  await picture('set-up')
  await tabTo(page.getByRole('link', { name: 'the dashboard' }))
  await press('Enter')

  await page.getByRole('heading', { name: 'Start here' }).waitFor()
  await picture('home')
  await tabTo(page.getByRole('link', { name: 'Paste JSON' }))
  await press('Enter')

  // The editor has the focus, so that a person can paste at once.
  await page.getByRole('textbox', { name: 'JSON to create a list from' }).and(page.locator(':focus')).waitFor()
  await type(recipes)
  await page.getByText('3 items read.').waitFor()
  await press('Escape')
  await tabTo(page.getByRole('button', { name: 'Create list with 3 items' }))
  await picture('new-list')
  await press('Enter')

  await page.getByRole('heading', { name: 'Recipes', level: 1 }).waitFor()
  await page.getByRole('link', { name: 'Waffles' }).first().waitFor()
  await picture('items')
  await tabTo(page.getByRole('link', { name: 'Add item' }))
  await press('Enter')

  for (const [name, value] of Object.entries({ slug: 'pho', title: 'Phở bò', serves: '2', batch: '3' })) {
    await tabTo(page.getByRole('textbox', { name, exact: true }))
    await type(value)
  }
  await picture('new-item')
  await press('Control+s')
  await page.getByText('The item was created.').waitFor()
  await picture('item')
  await press('g')
  await press('l')
  await tabTo(page.getByRole('link', { name: 'Recipes' }))
  await press('Enter')

  await page.getByRole('link', { name: 'Phở bò' }).first().waitFor()
  await press('/')
  await page.getByRole('combobox', { name: 'Field' }).and(page.locator(':focus')).waitFor()
  // The list of choices selects what is typed.
  await page.keyboard.type('serves')
  await tabTo(page.getByRole('textbox', { name: 'Value' }))
  await type('2')
  await press('Enter')
  await page.getByRole('link', { name: 'Waffles' }).first().waitFor({ state: 'detached' })
  t.is(await page.getByRole('link', { name: 'Phở bò' }).count(), 1)
  await picture('found')

  const stored = await page.request.get(`${listd.address}/lists/recipes/items?order=slug&includeData=true`)
  t.regex(await stored.text(), /"batch":1e400.*"batch":9007199254740993.*"batch":1\.0/s)
  // A pause while typing checks the form by a dry run, which rejects an incomplete item.
  t.deepEqual(
    faults.filter((fault) => !fault.includes('status of 400')),
    [],
  )
})

/** Saves screenshots in dist/screenshots. */
async function pictures(page: Page): Promise<(name: string) => Promise<void>> {
  await mkdir(screenshots, { recursive: true })
  let count = 0
  return async (name) => {
    count += 1
    await page.screenshot({ path: join(screenshots, `someone-new-${count}-${name}.png`) })
  }
}
