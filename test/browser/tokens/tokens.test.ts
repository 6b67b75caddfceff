import test from 'ava'
import { checkPage } from '../../support/browser/check-page.ts'
import { sharedBrowser } from '../../support/browser/chromium.ts'
import { assertKeepsNoSecret } from '../../support/browser/secrets.ts'
import { seed } from '../../support/browser/seed.ts'
import { testVisitor, untilLoaded } from '../../support/browser/visitor.ts'
import { testListd } from '../../support/processes/listd.ts'
import { shared } from '../../support/test-context/shared.ts'

const browser = sharedBrowser()
const server = shared(async (t) => {
  const listd = await testListd(t)
  await seed(listd)
  return { listd }
})

/** The status of a request with the value of a token. */
async function statusOf(path: string, value: string): Promise<number> {
  const { status } = await fetch(new URL(path, server().listd.address), { headers: { 'x-api-token': value } })
  return status
}

test.serial(
  'a token is created, its rules are changed with their effect shown, and the API does what the grid says',
  async (t) => {
    const visitor = await testVisitor(t, { browser: browser(), ...server() })
    const { page, visit } = visitor
    const shown: string[] = []
    const takeValue = async () => {
      const value = String(await page.getByRole('dialog').locator('code.secret-value').textContent())
      shown.push(value)
      await page.getByRole('button', { name: 'I have saved it' }).click()
      await page.getByRole('dialog').waitFor({ state: 'detached' })
      return value
    }

    await visit('/new-token')
    await page.getByLabel('Name').fill('web app')
    await page.getByLabel('What it is for').selectOption('Write without delete')
    await page.getByRole('button', { name: 'Create the token' }).click()
    const value = await takeValue()
    await page.getByRole('heading', { level: 1, name: 'web app' }).waitFor()
    await untilLoaded(page)
    t.is(await statusOf('/tokens/self', value), 200)
    await assertKeepsNoSecret(t, visitor, shown)

    const cell = (name: string) => page.getByRole('button', { name, exact: true })
    await cell('items: delete, recipes: no').click()
    await page.getByText('No rule covers "delete item", and nothing is allowed by default.').waitFor()

    await page.getByRole('button', { name: 'Add rules…' }).click()
    const dialog = page.getByRole('dialog', { name: 'Add rules' })
    await dialog.getByLabel('Mode').selectOption('block')
    await dialog.getByLabel('view', { exact: true }).check()
    await dialog.getByLabel('recipes').check()
    await dialog.getByRole('button', { name: 'Add the rule' }).click()
    await cell('items: view, notes: yes').waitFor()
    await cell('items: view, recipes: no').click()
    await page.getByText('Rule 5 decides "view item": it blocks it. Without it the answer would be yes.').waitFor()
    await page.getByText('The API answers 404').waitFor()
    await checkPage(t, visitor, 'token')

    // Above the rule that allows the call, rule 5 never decides; moved back, it does.
    const grip = (n: number) => page.getByRole('button', { name: `Rule ${n}: move it with the arrow keys` })
    await grip(5).focus()
    for (const _ of [1, 2, 3]) await page.keyboard.press('ArrowUp')
    await page.getByText('can never decide: rule 3 follows it and matches everything it matches.').waitFor()
    await cell('items: view, recipes: yes').waitFor()
    for (const _ of [1, 2, 3]) await page.keyboard.press('ArrowDown')
    await cell('items: view, recipes: no').waitFor()

    await grip(5).dragTo(page.getByRole('listitem').filter({ hasText: 'lists · view' }))
    await page.getByText('Rule 5 is now rule 1.').waitFor({ state: 'attached' })
    await cell('items: view, recipes: yes').waitFor()
    await grip(1).dragTo(page.getByRole('listitem').filter({ hasText: 'items · update' }))
    await cell('items: view, recipes: no').waitFor()

    t.is(await statusOf('/lists/recipes/items/pancakes', value), 200)
    await page.keyboard.press('Control+s')
    const changes = page.getByRole('dialog', { name: 'Save these rules?' })
    await changes.getByText('items: view').waitFor()
    await checkPage(t, visitor, 'token-save')
    await changes.getByRole('button', { name: 'Save the rules' }).click()
    await page.getByText('The token was saved.').first().waitFor()
    t.is(await statusOf('/lists/recipes/items/pancakes', value), 404)
    t.is(await statusOf('/lists/notes/items', value), 200)

    await page.getByRole('link', { name: 'Try it' }).click()
    await page.getByLabel('Call', { exact: true }).selectOption('items: update')
    await page.getByLabel('List', { exact: true }).selectOption('recipes')
    await page.getByLabel('Item', { exact: true }).fill('pancakes')
    await page.getByText('items: update, recipes: yes.').waitFor()
    await page.getByLabel('Acting for').fill('/nobody')
    await page.getByText('The requested entity does not exist.').waitFor()
    await page.getByLabel('Acting for').fill('')
    await checkPage(
      t,
      { ...visitor, faults: visitor.faults.filter((fault) => !fault.includes('status of 404')) },
      'token-try',
    )

    await page.getByRole('link', { name: 'Settings' }).last().click()
    await page.getByLabel('Networks').fill('127.0.0.0/8, ::1/128, 10.0.0.0/8')
    await page.getByLabel('Requests a minute').fill('many')
    await page.getByRole('button', { name: 'Save' }).click()
    await page.locator('[aria-invalid]').waitFor()
    await page.getByLabel('Requests a minute').fill('600')
    await page.getByRole('button', { name: 'Save' }).click()
    await page.getByText('The token was saved.').last().waitFor()
    t.is(await page.getByLabel('Requests a minute').inputValue(), '600')
    await page.keyboard.press('Control+k')
    for (const [text, found] of [
      ['web a', 'web app token'],
      ['ada', 'Ada <b>L. identity of members'],
    ] as const) {
      await page.getByRole('combobox').fill(text)
      await page.getByRole('option', { name: found }).waitFor()
    }
    await page.getByRole('dialog').getByRole('button', { name: 'Close' }).click()
    await checkPage(
      t,
      { ...visitor, faults: visitor.faults.filter((fault) => !/status of 40[04]/.test(fault)) },
      'token-settings',
    )
    await page.getByRole('button', { name: 'New value…' }).click()
    await page.getByRole('button', { name: 'Give it a new value' }).click()
    const second = await takeValue()
    t.is(await statusOf('/tokens/self', value), 401)
    t.is(await statusOf('/tokens/self', second), 200)

    await page.getByRole('button', { name: 'Delete this token…' }).click()
    await page.getByLabel('Type web app to confirm').fill('web app')
    await page.getByRole('button', { name: 'Delete the token', exact: true }).click()
    await page.getByRole('heading', { level: 1, name: 'Tokens' }).waitFor()
    t.is(await statusOf('/tokens/self', second), 401)
    await assertKeepsNoSecret(t, visitor, shown)
  },
)
