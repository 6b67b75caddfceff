import test from 'ava'
import { checkPage } from '../support/browser/check-page.ts'
import { sharedBrowser } from '../support/browser/chromium.ts'
import { assertKeepsNoSecret } from '../support/browser/secrets.ts'
import { seed } from '../support/browser/seed.ts'
import { testVisitor, untilLoaded } from '../support/browser/visitor.ts'
import { testListd } from '../support/processes/listd.ts'
import { shared } from '../support/test-context/shared.ts'

const browser = sharedBrowser()
const server = shared(async (t) => {
  const listd = await testListd(t)
  await seed(listd)
  return { listd }
})

test.serial(
  'an identity is found, gets a token and a password that are shown nowhere else, and is deleted without its items',
  async (t) => {
    const { listd } = server()
    const bob = await signedInBob()
    await listd.api('POST', '/lists/notes/items', { body: { data: { by: 'Bob' } }, headers: bob })
    const visitor = await testVisitor(t, { browser: browser(), listd })
    const { page, visit } = visitor
    await visit('/identities')
    await page.keyboard.press('/')
    await page.keyboard.type('bo')
    await page.getByText('1 identity with this name.').waitFor()
    await page.getByLabel('Group').selectOption('members')
    await page.getByRole('link', { name: 'Bob' }).click()
    await page.getByRole('heading', { level: 1, name: 'Bob' }).waitFor()
    await untilLoaded(page)
    await page.getByText('1 active session', { exact: true }).waitFor()

    await page.getByRole('button', { name: 'Count items' }).click()
    await page.getByRole('link', { name: '1 item', exact: true }).waitFor()
    await checkPage(t, visitor, 'identity')

    await page.getByRole('button', { name: 'Issue a reset token' }).click()
    const resetToken = String(
      await page.getByRole('dialog', { name: 'Reset token' }).locator('code.secret-value').textContent(),
    )
    await page.getByRole('button', { name: 'I have saved it' }).click()
    await assertKeepsNoSecret(t, visitor, [resetToken])
    const password = 'canary-pass-reset'
    const { status } = await listd.api('POST', '/identities/password-reset/confirm', { body: { resetToken, password } })
    t.is(status, 200)

    await page.getByRole('button', { name: 'Set a password…' }).click()
    const another = 'canary-pass-another'
    await page.getByLabel('New password').fill(another)
    await page.getByRole('button', { name: 'Set the password' }).click()
    await page.getByText('The password was set.').first().waitFor()
    await assertKeepsNoSecret(t, visitor, [another])

    await page.getByLabel('Activated').uncheck()
    await page.getByText('Saving ends its 0 active sessions.').waitFor()
    await page.getByRole('button', { name: 'Save' }).click()
    await page.getByText('The identity was saved.').first().waitFor()
    t.like(await listd.user('GET', '/identities/members%2FBob'), { json: { activated: false } })

    await page.getByRole('button', { name: 'Delete this identity…' }).click()
    await page.getByText('Its 1 item is kept without an owner.').waitFor()
    await page.getByLabel('Type Bob to confirm').fill('Bob')
    await page.getByRole('button', { name: 'Delete the identity', exact: true }).click()
    await page.getByText('The identity Bob was deleted.').first().waitFor()
    t.deepEqual(visitor.faults, [])
  },
)

/** Bob registers in the group, and signs in. */
async function signedInBob(): Promise<Record<string, string>> {
  const { listd } = server()
  const password = 'canary-pass-bob'
  const body = { group: 'members', name: 'Bob', password }
  await listd.api('POST', '/identities/register', { body })
  const { json } = await listd.api('POST', '/identities/login', { body })
  return { 'x-identity-token': String(json.token), 'x-identity-group': 'members' }
}

test.serial('the effect of a shorter session is shown before a group is saved', async (t) => {
  const { listd } = server()
  const visitor = await testVisitor(t, { browser: browser(), listd })
  const { page, visit } = visitor
  await visit('/identity-groups/members')
  await page.getByLabel('Session lifetime', { exact: true }).fill('2')
  await page.getByText('Sessions that began more than 2 days ago end immediately.').waitFor()
  await page.getByLabel('Require a verified e-mail to sign in').check()
  await checkPage(t, visitor, 'identity-group-changed')
  await page.keyboard.press('Control+s')
  await page.getByText('The group was saved.').first().waitFor()
  const { json } = await listd.user('GET', '/identity-groups/members')
  t.like(json, { sessionLifetimeSeconds: 172_800, requireVerifiedEmail: true })
  await page.getByLabel('Session lifetime', { exact: true }).fill('x')
  await page.getByRole('button', { name: 'Save' }).click()
  await page.getByText('must be greater than or equal to 1').waitFor()
})
