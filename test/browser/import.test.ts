import { readFile } from 'node:fs/promises'
import test from 'ava'
import { checkPage } from '../support/browser/check-page.ts'
import { sharedBrowser } from '../support/browser/chromium.ts'
import { inPage } from '../support/browser/in-page.ts'
import { testVisitor, type Visitor } from '../support/browser/visitor.ts'
import { testListd } from '../support/processes/listd.ts'
import { shared } from '../support/test-context/shared.ts'

const browser = sharedBrowser()
const server = shared(async (t) => ({ listd: await testListd(t) }))

/** 5,000 rows, 3 of which are rejected: by the schema, because a value is not a number, and because its alias is already in use. */
function csvFile(): string {
  const rows = Array.from({ length: 5_000 }, (_, n) => {
    if (n === 17) return `s17,${'x'.repeat(90)},1`
    if (n === 3_000) return 's3000,Late,many'
    return n === 4_999 ? 's7,Again,1' : `s${n},"Plate ${n}, deep",${n}.50`
  })
  return ['slug,title,size', ...rows].join('\n')
}

test('a file is examined, imported, stopped, and continues after a reload: every row is created once, and rejected rows are returned', async (t) => {
  const { listd } = server()
  const schema = { properties: { title: { type: 'string', maxLength: 80 }, size: { type: 'number' } } }
  const plates = { name: 'Plates', schema, indexes: { slug: { pointer: '/slug', alias: true } } }
  await listd.api('POST', '/sync-schema', { body: { scope: 'dishes', lists: { plates } } })
  const visitor = await testVisitor(t, { browser: browser(), listd })
  const { page } = visitor
  const file = { name: 'plates.csv', mimeType: 'text/csv', buffer: Buffer.from(csvFile()) }
  await visitor.visit('/lists/plates/import')
  await page.getByLabel('File to import').setInputFiles(file)
  await page.getByText('1 of the first 100 rows would be rejected.').waitFor()
  t.is(await page.getByLabel('Pointer of the column size').inputValue(), '/size')
  t.is(await page.getByLabel('Type of the column size').inputValue(), 'number')
  await checkPage(t, withoutRejections(visitor), 'import-preview')

  const { promise: pressed, resolve: goOn } = Promise.withResolvers<void>()
  let batches = 0
  await page.route('**/items/batch*', async (route) => {
    if (++batches > 4) await pressed // otherwise the import could end before it is stopped
    await route.continue()
  })
  await page.getByRole('button', { name: 'Import items' }).press('Enter')
  await page.getByText(/[1-9][0-9,]* rows read/).waitFor()
  await page.getByRole('button', { name: 'Stop' }).press('Enter')
  goOn()
  await page.getByText('The import stopped after row').waitFor()
  t.notRegex(await inPage<string>(page, 'JSON.stringify({ ...localStorage })'), /Plate|s17|slug,title/)
  await page.reload()
  await page.getByText('Choose the same file to continue.').waitFor()
  await page.getByLabel('File to import').setInputFiles(file)
  await page.getByRole('button', { name: 'Continue after row' }).press('Enter')
  await page.getByText(/[0-9,]+ items created\./).waitFor({ timeout: 120_000 })
  await checkPage(t, withoutRejections(visitor), 'import-done')
  t.is((await listd.api('GET', '/lists/plates')).json.itemCount, 4_997)

  const [download] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('button', { name: 'Save rejected rows' }).press('Enter'),
  ])
  t.is(download.suggestedFilename(), 'plates.csv.rejected.csv')
  const lines = (await readFile(await download.path(), 'utf8')).trimEnd().split('\n')
  t.is(lines[0], 'import_error,slug,title,size')
  t.deepEqual(
    lines.slice(1).map((line) => /,(s\d+),/.exec(line)?.[1]),
    ['s17', 's3000', 's7'],
  )
})

test('the items that match a filter of the address are exported, with numbers as they were written', async (t) => {
  const { listd } = server()
  const cups = { name: 'Cups', indexes: { size: { pointer: '/size', valueType: 'number', filtering: true } } }
  await listd.api('POST', '/sync-schema', { body: { scope: 'cups', lists: { cups } } })
  for (const size of ['1.50', '9007199254740993', '3']) {
    await listd.api('POST', '/lists/cups/items', { text: `{"data":{"size":${size},"name":"a, \\"b\\""}}` })
  }
  const visitor = await testVisitor(t, { browser: browser(), listd })
  const { page } = visitor
  // A test cannot answer the file dialog of the system.
  await page.addInitScript('delete window.showSaveFilePicker')
  await visitor.visit('/lists/cups/export?index.size=gte:3&format=csv')
  await checkPage(t, visitor, 'export')
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('button', { name: 'Export items' }).press('Enter'),
  ])
  t.is(download.suggestedFilename(), 'cups.csv')
  t.is(await readFile(await download.path(), 'utf8'), '/size,/name\r\n9007199254740993,"a, ""b"""\r\n3,"a, ""b"""\r\n')
  await page.getByText('2 items exported.').waitFor()
})

/** Without the reports of the browser itself about answers that reject rows. */
const withoutRejections = (visitor: Visitor): Visitor => ({
  ...visitor,
  faults: visitor.faults.filter((fault) => !/status of 4(00|09)/.test(fault)),
})
