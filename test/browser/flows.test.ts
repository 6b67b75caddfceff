import test from 'ava'
import type { Locator, Page } from 'playwright-core'
import { checkPage } from '../support/browser/check-page.ts'
import { sharedBrowser } from '../support/browser/chromium.ts'
import { inPage } from '../support/browser/in-page.ts'
import { testVisitor, wide } from '../support/browser/visitor.ts'
import { testListd } from '../support/processes/listd.ts'
import { shared } from '../support/test-context/shared.ts'

const browser = sharedBrowser()
const server = shared(async (t) => ({ listd: await testListd(t) }))

test.serial('a flow is created from the example, checked while it is typed, tested as typed, and reset', async (t) => {
  const { listd } = server()
  const visitor = await testVisitor(t, { browser: browser(), listd })
  const { page } = visitor
  page.setDefaultTimeout(20000)
  await visitor.visit('/flows')
  await page.getByRole('heading', { name: 'A flow is your own endpoint' }).waitFor()
  await checkPage(t, visitor, 'flows-empty')
  await page.getByRole('link', { name: 'Start with an example' }).click()
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
  // The error is below its line, next to the text, and on its node.
  t.is(await page.getByText('nodes.0.when there is no "inpt" here').count(), 3)
  await nodeIn(page, 'stock')
    .and(page.getByRole('button', { name: /nodes\.0\.when there is no "inpt" here/ }))
    .waitFor()
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
  await page.getByRole('button', { name: 'Put into editor' }).click()
  await page.getByRole('button', { name: 'Save' }).click()
  await page.getByText('Version 3 was saved.').waitFor()
  t.like((await listd.user('GET', '/flow-definitions/Quote')).json, { document, version: 3 })
})

test.serial('a run is found by its result, and shows each step, its writes and where it failed', async (t) => {
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
  page.setDefaultTimeout(20000)
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
  // The drawing shows the nodes of the run in order, and the values of the selected one.
  await nodeIn(page, 'ballot')
    .and(page.getByRole('button', { name: /step 1, / }))
    .click()
  await page.getByText('"votes": 1').waitFor()
  t.is(await page.getByText('"votes": 42').count(), 1)
  await nodeIn(page, '').click()
  await page.locator('.drawing').getByText('"by": 41').waitFor()
  await checkPage(t, visitor, 'run-drawn')
  // The outline has all steps: one reads what the previous one has written.
  await page.getByRole('button', { name: 'Show outline' }).click()
  for (const text of ['"by": 41', '"votes": 42']) await page.getByText(text).first().waitFor()
  t.deepEqual(await page.locator('.run-list h2').allTextContents(), ['ballot', 'sum', 'count', 'answer'])
  await checkPage(t, visitor, 'run')
  await page.getByRole('link', { name: `ballots …${item.id.slice(-12)}` }).click()
  t.is(await page.getByRole('spinbutton', { name: 'votes' }).or(page.getByLabel('votes')).first().inputValue(), '42')
  await visitor.visit('/runs?status=refused')
  await page.getByRole('link', { name: 'Count <b>' }).click()
  await page.getByText('Its input was rejected').waitFor()

  const votes = async () => (await listd.user('GET', `/lists/ballots/items/${item.id}`)).json.data.votes
  await visitor.visit(`/flows/${flow.id}?tab=try`)
  await page.getByLabel('Input', { exact: true }).fill('{ "by": 8 }')
  await page.getByRole('button', { name: 'Dry run' }).click()
  await page.getByRole('heading', { name: 'Would write' }).waitFor()
  await page.getByText('"votes": 50').first().waitFor()
  t.is(await votes(), 42)
  await checkPage(t, visitor, 'flow-try')
  await page.getByRole('button', { name: 'Run…' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Run' }).click()
  await page.getByText(', by hand').waitFor()
  t.is(await votes(), 50)
  await page.getByRole('button', { name: 'Repeat…' }).click()
  await page.getByRole('button', { name: 'Run it again' }).click()
  await page.getByText('This is the new run.').waitFor()
  t.is(await votes(), 58)
})

test.serial('a flow is drawn, changed with the pointer and the keyboard, run, and inspected', async (t) => {
  const { listd } = server()
  await listd.user('DELETE', '/flow-definitions/Quote')
  await listd.user('POST', '/lists', { body: { name: 'Orders', pathName: 'orders' } })
  const visitor = await testVisitor(t, { browser: browser(), listd })
  const { page } = visitor
  page.setDefaultTimeout(20000)
  await visitor.visit('/new-flow')
  await page.getByText('All 2 tests passed.').waitFor()
  const text = async () => (await page.locator('.cm-line').allTextContents()).join('\n')

  // Two fingers zoom the drawing around the point between them; the button shows the whole drawing again.
  const whole = await seen(page)
  await pinch(page, await centre(page, '[data-node="total"]'), { from: 40, to: 80 })
  const near = await seen(page)
  t.true(Math.abs(near.k / whole.k - 2) < 0.05, `${whole.k} ${near.k}`)
  await pinch(page, await centre(page, '[data-node="total"]'), { from: 80, to: 40 })
  t.true(Math.abs((await seen(page)).k / whole.k - 1) < 0.05)
  await page.getByRole('button', { name: 'Fit: show the whole drawing' }).click()
  t.deepEqual(await seen(page), whole)

  // A selection in the text is also one in the drawing, and vice versa.
  await nodeIn(page, 'total').click()
  await page.getByText('"id": "stock"').click()
  await page.getByRole('button', { name: /^stock\./, pressed: true }).waitFor()
  await nodeIn(page, 'total').focus()
  await page.getByRole('button', { name: /^total\./, pressed: true }).waitFor()

  // By keyboard: adds a condition before the answer, and renames it.
  await page.keyboard.press('a')
  await page.getByRole('dialog', { name: 'Add a node' }).waitFor()
  await checkPage(t, visitor, 'flow-palette')
  await page.keyboard.press('ArrowDown')
  await page.keyboard.press('Enter')
  await nodeIn(page, 'condition').waitFor()
  await page.keyboard.press('r')
  await page.getByLabel('Name of the node').fill('is_large')
  await page.keyboard.press('Enter')
  await page.getByRole('button', { name: /^is_large\..*true goes to answer, false ends the run/ }).waitFor()
  t.regex(await text(), /"id": "is_large",\s+"type": "condition",\s+"when": "true"/)
  t.regex(await text(), /\["total", "is_large"\],\s+\["is_large", "answer", "true"\]/)
  await page.getByText('1 warning in the document').waitFor()
  await page.locator('.loaded.old').waitFor({ state: 'detached' })
  await page.getByText('No errors. You can save the flow.').waitFor()
  await checkPage(t, visitor, 'flow-drawn')

  // By pointer: adds a node at an open port, and drags a port to another node.
  await page.locator('.drawn-port.open circle').last().click()
  await page.getByRole('button', { name: /^create-item/ }).click()
  await nodeIn(page, 'create_item').waitFor()
  await drag(page, await centre(page, '[data-port-of="create_item"]'), await centre(page, '[data-node="answer"]'))
  await page.getByText('create_item goes to answer.').waitFor()
  // An edge that would form a loop is not written.
  await drag(page, await centre(page, '[data-port-of="create_item"]'), await centre(page, '[data-node="stock"]'))
  await page.getByText('An edge from create_item to stock would form a loop').waitFor()
  // Changes the target of an edge in a dialog, and undoes it by keyboard.
  await nodeIn(page, 'is_large').focus()
  await page.keyboard.press('c')
  await page.getByRole('dialog').getByLabel('true goes to').selectOption('create_item')
  await page.getByRole('button', { name: 'Connect', exact: true }).press('Enter')
  await page.getByRole('button', { name: /^is_large\..*true goes to create_item/ }).waitFor()
  await page.locator('.picture :focus').waitFor()
  await page.keyboard.press('ControlOrMeta+z')
  await page.getByRole('button', { name: /^is_large\..*true goes to answer, false goes to create_item/ }).waitFor()

  // Deletes a node by keyboard; its incoming edge goes to the next node, and undo restores the node.
  await nodeIn(page, 'create_item').focus()
  await page.keyboard.press('Delete')
  await page.getByRole('button', { name: /^is_large\..*false goes to answer/ }).waitFor()
  await page.locator('.picture :focus').waitFor()
  await page.keyboard.press('ControlOrMeta+z')
  await nodeIn(page, 'create_item').waitFor()

  await page.setViewportSize({ width: 390, height: 844 })
  await page.getByRole('list', { name: 'Outline of the flow' }).getByText('goes to').first().waitFor()
  t.deepEqual(await page.locator('.outline > li > .link').allTextContents(), [
    'POST /flows/quote',
    'stock',
    'total',
    'is_large',
    'answer',
    'create_item',
  ])
  await page.setViewportSize(wide)
  await page.getByText('All 2 tests passed.').waitFor()
  // The drawing shows the path of a test, and the step that fails as expected.
  await page.getByRole('button', { name: 'Show the path of more than there are is rejected' }).click()
  await page.getByRole('button', { name: /^stock\..*step 1, .*failed/ }).click()
  await page.locator('.drawing').getByText('expression step').waitFor()
  await checkPage(t, visitor, 'flow-test-drawn')
  await page.getByRole('button', { name: 'Create', exact: true }).click()
  await page.getByRole('heading', { level: 1, name: 'Quote' }).waitFor()

  await visitor.visit(`/flows/${(await listd.user('GET', '/flow-definitions/Quote')).json.id}?tab=try`)
  await page.getByRole('button', { name: 'Dry run' }).click()
  await page.getByRole('button', { name: /^is_large\..*step 3/ }).click()
  await page.getByText('continues at true').waitFor()
  t.is(await page.locator('.drawn-node.left').getAttribute('data-node'), 'create_item')
  await checkPage(t, visitor, 'flow-try-drawn')

  // Runs the flow, and shows who started it, how long each step took, and, by keyboard, the values of one step.
  await page.getByRole('button', { name: 'Run…' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Run' }).press('Enter')
  await page.getByRole('heading', { level: 1, name: 'Run of Quote' }).waitFor()
  await page.getByText(`${listd.credentials.email}, by hand`).waitFor()
  for (const [n, id] of ['stock', 'total', 'is_large', 'answer'].entries())
    await nodeIn(page, id)
      .and(page.getByRole('button', { name: new RegExp(`step ${n + 1}, (< )?[\\d.,]+ ms, `) }))
      .waitFor()
  await nodeIn(page, 'answer').focus()
  await page.keyboard.press('ArrowUp')
  await page.keyboard.press('ArrowUp')
  await page.getByRole('button', { name: /^is_large\..*step 3/, pressed: true }).waitFor()
  await page.locator('.run-steps').getByText('when').waitFor()
  await checkPage(t, visitor, 'run-by-hand')

  // Home shows why runs failed, with a link to the runs.
  t.is((await listd.api('POST', '/flows/quote', { body: { price: 5, pieces: 101 } })).status, 400)
  await visitor.visit('/')
  await page.getByRole('region', { name: 'Why runs failed' }).getByRole('link', { name: 'REQUIRE_FAILED' }).waitFor()
  await checkPage(t, visitor, 'home-run-failures')
  await page.getByRole('link', { name: 'REQUIRE_FAILED' }).click()
  await page.getByText('400 REQUIRE_FAILED at the node “stock”').waitFor()
  await listd.user('DELETE', '/flow-definitions/Quote')
})

test.serial('the tests of the example are removed with it when another flow replaces it', async (t) => {
  const { listd } = server()
  const visitor = await testVisitor(t, { browser: browser(), listd })
  const { page } = visitor
  page.setDefaultTimeout(20000)
  await visitor.visit('/new-flow')
  await page.getByText('All 2 tests passed.').waitFor()
  const document = {
    version: 1,
    name: 'Hi',
    entry: { type: 'endpoint', path: 'hi' },
    nodes: [{ id: 'end', type: 'respond' }],
  }
  await replaceText(page, JSON.stringify(document))
  await page.getByText('The tests of the example were removed, because this is a different flow.').waitFor()
  await page.getByText('No tests yet.').waitFor()
  t.deepEqual(visitor.faults, [])
})

test.serial('names and properties are offered in the editor of a flow', async (t) => {
  const { listd } = server()
  await listd.user('POST', '/lists', { body: { name: 'Cards', pathName: 'cards' } })
  const visitor = await testVisitor(t, { browser: browser(), listd })
  const { page } = visitor
  page.setDefaultTimeout(20000)
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

test.serial('a flow is deactivated in the list, and deleted by typing its name', async (t) => {
  const { listd } = server()
  const visitor = await testVisitor(t, { browser: browser(), listd })
  const { page } = visitor
  page.setDefaultTimeout(20000)
  const entry = { type: 'endpoint', path: 'gone' }
  const document = { version: 1, name: 'Gone', entry, nodes: [{ id: 'end', type: 'respond' }] }
  await listd.user('POST', '/flow-definitions', { body: { document } })
  await visitor.visit('/flows')
  await page.getByLabel('Activated: Gone').uncheck()
  await page.getByText('Gone was switched off').waitFor()
  t.is((await listd.user('GET', '/flow-definitions/Gone')).json.activated, false)
  await page.getByRole('link', { name: 'Gone' }).click()
  await page.getByRole('navigation', { name: 'Sections of this page' }).getByRole('link', { name: 'Settings' }).click()
  await page.getByRole('button', { name: 'Delete this flow' }).click()
  await page.getByLabel('Type Gone to confirm').fill('Gone')
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

/** A node of the drawing, by its id. */
function nodeIn(page: Page, id: string): Locator {
  return page.locator(`[data-node="${id}"]`).getByRole('button')
}

async function centre(page: Page, selector: string): Promise<{ x: number; y: number }> {
  // After a change the drawing moves the selected node into view, so this waits until nothing moves.
  let before = ''
  for (;;) {
    const now = JSON.stringify([await seen(page), await page.locator(selector).boundingBox()])
    if (now === before) break
    before = now
    await inPage(page, 'new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(() => resolve())))')
  }
  const box = await page.locator(selector).boundingBox()
  if (!box) throw new Error(`${selector} is not there`)
  return { x: box.x + box.width / 2, y: box.y + box.height / 2 }
}

type Point = { x: number; y: number }

async function drag(page: Page, from: Point, to: Point): Promise<void> {
  await page.mouse.move(from.x, from.y)
  await page.mouse.down()
  await page.mouse.move((from.x + to.x) / 2, (from.y + to.y) / 2, { steps: 4 })
  await page.mouse.move(to.x, to.y, { steps: 4 })
  await page.mouse.up()
}

/** The translation and the scale of the drawing. */
function seen(page: Page): Promise<{ x: number; y: number; k: number }> {
  return inPage(
    page,
    `(({ e, f, a }) => ({ x: e, y: f, k: a }))(document.querySelector('.picture svg > g').transform.baseVal.consolidate().matrix)`,
  )
}

/** Moves two fingers, whose distance from a point changes, in px. */
async function pinch(page: Page, { x, y }: { x: number; y: number }, { from, to }: { from: number; to: number }) {
  const session = await page.context().newCDPSession(page)
  const fingers = (far: number) => [
    { x: x - far, y, id: 1 },
    { x: x + far, y, id: 2 },
  ]
  await session.send('Emulation.setTouchEmulationEnabled', { enabled: true, maxTouchPoints: 2 })
  await session.send('Input.dispatchTouchEvent', { type: 'touchStart', touchPoints: fingers(from) })
  for (let n = 1; n <= 4; n++) {
    const touchPoints = fingers(from + ((to - from) * n) / 4)
    await session.send('Input.dispatchTouchEvent', { type: 'touchMove', touchPoints })
  }
  await session.send('Input.dispatchTouchEvent', { type: 'touchEnd', touchPoints: [] })
  await session.send('Emulation.setTouchEmulationEnabled', { enabled: false })
  await session.detach()
}
