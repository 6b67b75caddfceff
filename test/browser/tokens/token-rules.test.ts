import test from 'ava'
import { checkPage } from '../../support/browser/check-page.ts'
import { sharedBrowser } from '../../support/browser/chromium.ts'
import { testVisitor, untilLoaded } from '../../support/browser/visitor.ts'
import { testListd } from '../../support/processes/listd.ts'
import { shared } from '../../support/test-context/shared.ts'

const browser = sharedBrowser()
const server = shared(async (t) => {
  const listd = await testListd(t)
  const { api, user } = listd
  const filtering = { filtering: true }
  const indexes = {
    status: { pointer: '/status', ...filtering },
    members: { pointer: '/members', ...filtering },
    publishAt: { pointer: '/publishAt', valueType: 'date', ...filtering },
  }
  await api('POST', '/sync-schema', { body: { scope: 'app', lists: { posts: { indexes } } } })
  const items: string[] = []
  const ada = await user('POST', '/identities', { body: { name: 'ada', tags: ['team-a'] } })
  for (const [status, members] of [
    ['published', []],
    ['published', []],
    ['draft', [ada.json.id]],
    ['draft', []],
  ]) {
    const data = { title: `A ${status} post`, status, members, publishAt: '2026-01-01' }
    const { json } = await api('POST', '/lists/posts/items', { body: { data } })
    items.push(String(json.id))
  }
  const created = await user('POST', '/tokens', {
    body: { name: 'app', permissions: [{ mode: 'allow', action: 'authenticate', resourceType: 'identity' }] },
  })
  return { listd, tokenId: String(created.json.id), value: String(created.json.value), items }
})

test.serial(
  'rules with conditions are written with the filter controls, saved unchanged, and mean what the page says',
  async (t) => {
    const { listd, tokenId, value, items } = server()
    const visitor = await testVisitor(t, { browser: browser(), listd })
    const { page, visit } = visitor
    const seen = async () => {
      const reply = await fetch(new URL('/lists/posts/items?includeData=true', listd.address), {
        headers: { 'x-api-token': value },
      })
      const { data = [] } = (await reply.json()) as { data?: { data: { status: string } }[] }
      return data.map((item) => item.data.status)
    }
    await visit(`/tokens/${tokenId}`)
    await untilLoaded(page)

    // By keyboard only: a rule for items that are published by now.
    await page.getByRole('button', { name: 'Add rules…' }).focus()
    await page.keyboard.press('Enter')
    const dialog = page.getByRole('dialog')
    await dialog.getByText('Choose lists to set conditions on their items.').waitFor()
    await dialog.getByLabel('view', { exact: true }).focus()
    await page.keyboard.press('Space')
    await dialog.getByLabel('posts').focus()
    await page.keyboard.press('Space')
    const where = dialog.getByRole('group', { name: 'Only where', exact: true })
    await where.getByRole('button', { name: 'Add a condition' }).focus()
    await page.keyboard.press('Enter')
    const condition = (n: number) => where.getByRole('group', { name: `Condition ${n}`, exact: true })
    await condition(1).getByLabel('Field').selectOption('status')
    await condition(1).getByLabel('Value', { exact: true }).focus()
    await page.keyboard.type('published')
    await where.getByRole('button', { name: 'Add a condition' }).press('Enter')
    await condition(2).getByLabel('Field').selectOption('publishat')
    await condition(2).getByLabel('How').selectOption('before')
    await condition(2).getByRole('button', { name: 'Value of the caller' }).press('Enter')
    await page.getByRole('button', { name: '$now', exact: true }).press('Enter')
    t.is(await condition(2).getByLabel('Value', { exact: true }).inputValue(), '$now')
    await checkPage(t, visitor, 'token-rule-where')
    await dialog.getByRole('button', { name: 'Add the rule' }).press('Enter')
    await page.getByText('where status is published and publishat is until $now').waitFor()
    await page.getByRole('button', { name: 'items: view, posts: some', exact: true }).click()
    await page.getByText('It depends on the item: rule 2 allows "view item" where its conditions hold.').waitFor()

    // A rule to update items of which one is a member, with the fields that it may change.
    await page.getByRole('button', { name: 'Add rules…' }).click()
    await dialog.getByLabel('update', { exact: true }).check()
    await dialog.getByLabel('posts').check()
    await where.getByRole('button', { name: 'Add a condition' }).click()
    await condition(1).getByLabel('Field').selectOption('members')
    await condition(1).getByRole('button', { name: 'Value of the caller' }).click()
    await page.getByRole('button', { name: '$identity.id', exact: true }).click()
    await where.getByRole('button', { name: 'Add “or”, as JSON' }).click()
    await where.getByLabel('Condition 2, as JSON').fill('{"or": [{"status": "eq:draft"}, {"colour": "eq:red"}]}')
    await dialog.getByLabel('Only these fields').fill('/title')
    await dialog.getByRole('button', { name: 'Add a field' }).click()
    await page.getByRole('button', { name: 'tags', exact: true }).click()
    await dialog.getByRole('button', { name: 'Add the rule' }).click()
    await dialog.getByText('where.or.1.colour is not an index of the list').waitFor()
    await where
      .getByLabel('Condition 2, as JSON')
      .fill('{"or": [{"status": "eq:draft"}, {"tagged": "in:$token.tags"}]}')
    await checkPage(t, visitor, 'token-rule-changes')
    await dialog.getByRole('button', { name: 'Add the rule' }).click()
    await page.getByText('only /title, tags').waitFor()

    // The rule is unchanged when it is opened again.
    await page.getByRole('button', { name: 'Change rule 3' }).click()
    await page.getByRole('button', { name: 'Edit…' }).click()
    t.is(
      await where.getByLabel('Condition 2, as JSON').inputValue(),
      '{"or":[{"status":"eq:draft"},{"tagged":"in:$token.tags"}]}',
    )
    t.is(await dialog.getByLabel('Only these fields').inputValue(), '/title\ntags')
    await dialog.getByRole('button', { name: 'Change the rule' }).click()
    await checkPage(t, visitor, 'token-rules')

    t.deepEqual(await seen(), [])
    await page.keyboard.press('Control+s')
    await page.getByText('posts: sees 2 of its items').waitFor()
    await page.getByText('now 0', { exact: true }).waitFor()
    await checkPage(t, visitor, 'token-rules-save')
    await page.getByRole('dialog').getByRole('button', { name: 'Save the rules' }).click()
    await page.getByText('The token was saved.').first().waitFor()
    t.deepEqual(await seen(), ['published', 'published'])
    const { json } = await listd.user('GET', `/tokens/${tokenId}`)
    const [, view, update] = json.permissions
    t.like(view, { action: 'view', where: { status: 'eq:published', publishat: 'before:$now' } })
    t.like(update, {
      action: 'update',
      where: { members: 'eq:$identity.id', or: [{ status: 'eq:draft' }, { tagged: 'in:$token.tags' }] },
      changes: ['/title', 'tags'],
    })

    // "Try it" with an item and an identity shows which rule decides, and which of its conditions.
    const [shown, , ofAda, other] = items as [string, string, string, string]
    await page.getByRole('link', { name: 'Try it' }).click()
    await page.getByLabel('Item', { exact: true }).fill(other)
    await page.getByText('items: view, posts: no.').waitFor()
    await page.getByText('Rule 2 does not match: status is published is false.').waitFor()
    await page.getByText('posts: sees 2 of its items').waitFor()
    await page.getByLabel('Item', { exact: true }).fill(shown)
    await page.getByText('items: view, posts: yes.').waitFor()
    await page.getByText('Rule 2 matches: its conditions hold.').waitFor()
    await page.getByLabel('Call', { exact: true }).selectOption('items: update')
    await page.getByLabel('Acting for').fill('/ada')
    // An item that the token may not view does not exist for it, even if it may update it.
    await page.getByLabel('Item', { exact: true }).fill(ofAda)
    await page.getByText('The API answers 404').waitFor()
    await page.getByText('Rule 2 does not match: status is published is false.').waitFor()
    await page.getByLabel('Item', { exact: true }).fill(shown)
    await page.getByText('Rule 3 does not match: members is $identity.id is false').waitFor()
    await checkPage(t, visitor, 'token-rules-try')

    // After a change of an index, the rules on it can no longer be evaluated: the page says so, and can save them again.
    await listd.user('PUT', '/lists/posts/indexes/status', { body: { pointer: '/state' } })
    await visit(`/tokens/${tokenId}`)
    await page.getByText('cannot be evaluated').waitFor()
    await checkPage(t, visitor, 'token-rules-unknown')
    await page.getByRole('button', { name: 'Save the rules again' }).click()
    await page.getByText('The rules were saved again.').first().waitFor()
    await page.getByText('cannot be evaluated').waitFor({ state: 'detached' })
  },
)
