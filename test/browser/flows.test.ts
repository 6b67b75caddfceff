import test from 'ava'
import type { Page } from 'playwright-core'
import { checkPage } from '../support/browser/check-page.ts'
import { sharedBrowser } from '../support/browser/chromium.ts'
import { testVisitor } from '../support/browser/visitor.ts'
import { testListd } from '../support/processes/listd.ts'
import { shared } from '../support/test-context/shared.ts'

const browser = sharedBrowser()
const server = shared(async (t) => ({ listd: await testListd(t) }))

test.serial(
  'a flow is made from the example, told its errors while it is typed, tested as typed, and taken back',
  async (t) => {
    const { listd } = server()
    const visitor = await testVisitor(t, { browser: browser(), listd })
    const { page } = visitor
    await visitor.visit('/flows')
    await page.getByRole('heading', { name: 'A flow is an endpoint of your own' }).waitFor()
    await checkPage(t, visitor, 'flows-empty')
    await page.getByRole('link', { name: 'Begin with an example' }).click()
    await page.getByText('All 2 tests passed.').waitFor()
    await page.getByRole('button', { name: 'Create' }).click()
    await page.getByRole('heading', { level: 1, name: 'Quote' }).waitFor()
    await page.getByText('All 2 tests passed.').waitFor()
    const { document, tests } = (await listd.user('GET', '/flow-definitions/Quote')).json

    const wrong = {
      ...document,
      nodes: [{ ...document.nodes[0], when: 'inpt.pieces < 9' }, ...document.nodes.slice(1)],
    }
    await replaceText(page, JSON.stringify(wrong, null, 2))
    await page.getByText('1 error in the document').waitFor()
    // Below its line, and beside the text.
    t.is(await page.getByText('nodes.0.when there is no "inpt" here').count(), 2)
    t.true(await page.getByRole('button', { name: 'Save' }).isDisabled())
    await checkPage(t, visitor, 'flow-errors')

    await replaceText(page, JSON.stringify({ ...document, description: 'Changed.' }, null, 2))
    await page.getByRole('link', { name: 'Tests' }).click()
    const [first, ...others] = tests.tests
    const failing = { tests: [{ ...first, expect: { body: { total: 46 } } }, ...others] }
    await replaceText(page, JSON.stringify(failing, null, 2))
    await page.getByText('1 of 2 tests failed.').waitFor()
    await page.getByText('Not saved: a test fails.').waitFor()
    await checkPage(t, visitor, 'flow-test-failed')
    await replaceText(page, JSON.stringify(tests))
    await page.getByText('All 2 tests passed.').waitFor()
    await page.keyboard.press('ControlOrMeta+s')
    await page.getByText('Version 2 was saved.').waitFor()
    t.like((await listd.user('GET', '/flow-definitions/Quote')).json, { description: 'Changed.', tests, version: 2 })

    await page.getByRole('link', { name: 'Versions' }).click()
    await page.getByText('"Changed."').waitFor()
    t.deepEqual(await page.locator('.diff .mono.muted').allTextContents(), ['/description'])
    await checkPage(t, visitor, 'flow-versions')
    await page.getByRole('link', { name: 'Version 1' }).click()
    await page.getByLabel('Compared with').selectOption('version 2')
    await page.locator('.diff del', { hasText: '"Changed."' }).waitFor()
    await page.getByRole('button', { name: 'Put into the editor' }).click()
    await page.getByRole('button', { name: 'Save' }).click()
    await page.getByText('Version 3 was saved.').waitFor()
    t.like((await listd.user('GET', '/flow-definitions/Quote')).json, { document, version: 3 })
  },
)

test.serial(
  'a run is found by what became of it, and shows each step, what it wrote and where it failed',
  async (t) => {
    const { listd } = server()
    await listd.user('POST', '/lists', { body: { name: 'Ballots', pathName: 'ballots' } })
    const { json: item } = await listd.user('POST', '/lists/ballots/items', { body: { data: { votes: 1 } } })
    const document = {
      version: 1,
      name: 'Count <b>',
      entry: { type: 'endpoint', path: 'count', input: { properties: { by: { type: 'integer' } } } },
      nodes: [
        { id: 'ballot', type: 'get-item', list: 'ballots', item: JSON.stringify(item.id), required: true },
        { id: 'sum', type: 'compute', value: 'steps.ballot.data.votes\n  + input.by' },
        { id: 'count', type: 'update-item', list: 'ballots', item: 'steps.ballot.id', merge: '{votes: steps.sum}' },
        { id: 'answer', type: 'respond', body: '{votes: steps.count.data.votes, text: "<i>"}' },
      ],
      edges: [
        ['ballot', 'sum'],
        ['sum', 'count'],
        ['count', 'answer'],
      ],
    }
    const { json: flow } = await listd.user('POST', '/flow-definitions', { body: { document } })
    for (const [body, status] of [
      [{ by: 41 }, 200],
      [{}, 422],
      [{ by: 'x' }, 400],
    ] as const)
      t.is((await listd.api('POST', '/flows/count', { body })).status, status)
    const visitor = await testVisitor(t, { browser: browser(), listd })
    const { page } = visitor
    await visitor.visit(`/flows/${flow.id}?tab=runs`)
    await checkPage(t, visitor, 'flow-runs')
    await page.getByLabel('State').selectOption('failed')
    await page.getByText('answered 200').waitFor({ state: 'detached' })
    t.is(await page.getByRole('row').count(), 2)
    await page.getByRole('row').last().getByRole('link').click()
    const pointed = await page.locator('pre', { hasText: '+ input.by' }).textContent()
    t.regex(pointed ?? '', /^ {2}\+ input\.by\n +\^$/)
    await checkPage(t, visitor, 'run-failed')
    await visitor.visit('/runs?status=succeeded')
    await page.getByRole('link', { name: 'Count <b>' }).click()
    await page.getByText('It answered 200').waitFor()
    // Its input, and what was written by one step and read by the next.
    for (const text of ['"by": 41', '"votes": 42']) await page.getByText(text).first().waitFor()
    t.deepEqual(await page.locator('.run-list h2').allTextContents(), ['ballot', 'sum', 'count', 'answer'])
    await checkPage(t, visitor, 'run')
    await page.getByRole('link', { name: `ballots …${item.id.slice(-12)}` }).click()
    await page.locator('.editor').getByText('"votes": 42').waitFor()
    await visitor.visit('/runs?status=refused')
    await page.getByRole('link', { name: 'Count <b>' }).click()
    await page.getByText('Its input was refused').waitFor()

    const votes = async () => (await listd.user('GET', `/lists/ballots/items/${item.id}`)).json.data.votes
    await visitor.visit(`/flows/${flow.id}?tab=try`)
    await page.getByLabel('Input', { exact: true }).fill('{ "by": 8 }')
    await page.getByRole('button', { name: 'Dry run' }).click()
    await page.getByRole('heading', { name: 'Would write' }).waitFor()
    await page.getByText('"votes": 50').first().waitFor()
    t.is(await votes(), 42)
    await checkPage(t, visitor, 'flow-try')
    await page.getByRole('button', { name: 'Run…' }).click()
    await page.getByRole('button', { name: 'Run it' }).click()
    await page.getByText('a person').waitFor()
    t.is(await votes(), 50)
    await page.getByRole('button', { name: 'Repeat…' }).click()
    await page.getByRole('button', { name: 'Run it again' }).click()
    await page.getByText('This is the new run.').waitFor()
    t.is(await votes(), 58)
  },
)

test.serial('names and properties are offered where a flow is written', async (t) => {
  const { listd } = server()
  await listd.user('POST', '/lists', { body: { name: 'Cards', pathName: 'cards' } })
  const visitor = await testVisitor(t, { browser: browser(), listd })
  const { page } = visitor
  await visitor.visit('/new-flow')
  const offered = (name: string) => page.getByRole('option', { name, exact: false }).first()
  const begin = '{"nodes": [{"id": "card", "type": "get-item", "list": "'
  await replaceText(page, begin)
  await page.keyboard.type('c')
  await offered('"cards"').waitFor()
  await replaceText(page, `${begin}cards"}, {"id": "end", "type": "respond", "body": "`)
  await page.keyboard.type('st')
  await offered('steps').waitFor()
  await page.keyboard.type('eps.')
  await offered('card').waitFor()
  await page.keyboard.type('card.d')
  await offered('data').waitFor()
  await replaceText(page, `${begin}cards", `)
  await page.keyboard.type('"req')
  await offered('"required"').waitFor()
  t.deepEqual(visitor.faults, [])
})

test.serial('a flow is switched off in the list, and deleted by typing its name', async (t) => {
  const { listd } = server()
  const visitor = await testVisitor(t, { browser: browser(), listd })
  const { page } = visitor
  const entry = { type: 'endpoint', path: 'gone' }
  const document = { version: 1, name: 'Gone', entry, nodes: [{ id: 'end', type: 'respond' }] }
  await listd.user('POST', '/flow-definitions', { body: { document } })
  await visitor.visit('/flows')
  await page.getByLabel('Activated: Gone').uncheck()
  await page.getByText('Gone is switched off').waitFor()
  t.is((await listd.user('GET', '/flow-definitions/Gone')).json.activated, false)
  await page.getByRole('link', { name: 'Gone' }).click()
  await page.getByRole('navigation', { name: 'Parts of this page' }).getByRole('link', { name: 'Settings' }).click()
  await page.getByRole('button', { name: 'Delete this flow' }).click()
  await page.getByLabel('Type Gone to agree').fill('Gone')
  await page.getByRole('button', { name: 'Delete the flow' }).click()
  await page.getByText('The flow Gone was deleted.').waitFor()
  t.is((await listd.user('GET', '/flow-definitions/Gone')).status, 404)
})

/** Replaces the text in the editor, as by pasting it. */
async function replaceText(page: Page, text: string): Promise<void> {
  await page.locator('.editor').getByRole('textbox').focus()
  await page.keyboard.press('ControlOrMeta+a')
  await page.keyboard.insertText(text)
}
