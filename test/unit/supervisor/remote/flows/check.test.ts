import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import test, { type ExecutionContext } from 'ava'
import { documentOf } from '../../../../support/flows/documents.ts'
import { commandsWith } from '../../../../support/processes/command-line.ts'
import { testFolder } from '../../../../support/test-context/folder.ts'

const run = commandsWith({})

/** A flow that finds an item by an index, and creates an item that the schema rejects. */
const nodes = [
  { id: 'open', type: 'list-items', list: 'cards', where: { state: "'open'" } },
  { id: 'created', type: 'create-item', list: 'cards', data: '{n: length(steps.open), title: 7}' },
]
const definition = {
  document: documentOf({ nodes, edges: [['open', 'created']] }),
  tests: { tests: [{ name: 'it counts', expect: { writes: [{ op: 'create' }] } }] },
}
const state = { pointer: '/state', filtering: true }
const cards = (type: string) => ({ schema: { properties: { title: { type } } }, indexes: { state } })

async function files(t: ExecutionContext) {
  const folder = await testFolder(t)
  return async (name: string, content: unknown) => {
    const path = join(folder, name)
    await writeFile(path, JSON.stringify(content, null, 2))
    return path
  }
}

test('flows are checked and tested without a server, with the schemas and indexes of a sync document', async (t) => {
  const file = await files(t)
  const flow = await file('count.json', definition)
  const lists = await file('lists.json', { lists: { Cards: cards('integer') } })
  const strict = await file('strict.json', { lists: { cards: cards('string') } })
  const others = await file('others.json', { lists: { votes: {} } })

  t.deepEqual(await run(['flows', 'check', flow]), { code: 0, stdout: `${flow} has no errors.\n`, stderr: '' })
  const unknown = await run(['flows', 'check', flow, '--schema', others])
  t.is(unknown.code, 1)
  t.regex(unknown.stdout, /^\S+count\.json:\d+:\d+ error UNKNOWN_LIST document\.nodes\.0\.list /)

  t.like(await run(['flows', 'test', flow, '--schema', lists]), {
    code: 0,
    stdout: `✔ it counts\n${flow}: 1 of 1 test passed.\n`,
  })
  const failed = await run(['flows', 'test', flow, flow, '--schema', strict])
  t.like(failed, { code: 1, stderr: 'listd: 2 of 2 tests failed.\n' })
  t.regex(failed.stdout, /^✗ it counts\n {4}.*SCHEMA_INVALID at the node "created"/)
  const alone = await run(['flows', 'test', flow])
  t.regex(alone.stdout, /at the node "open": where\.state is not known/)
  t.regex(alone.stderr, /^Lists have no schema or indexes in this check; provide them with --schema\.\nlistd: /)
})

test('JSON is one document for all files, even with errors', async (t) => {
  const file = await files(t)
  const good = await file('good.json', documentOf())
  const bad = await file('bad.json', { ...documentOf(), entri: 1 })
  const { code, stdout } = await run(['flows', 'check', good, bad, '--json'])
  t.is(code, 1)
  t.like(JSON.parse(stdout), [
    { file: good, diagnostics: [] },
    { file: bad, diagnostics: [{ path: 'entri' }] },
  ])
  const tested = await run(['flows', 'test', await file('count.json', definition), '--json'])
  t.like(JSON.parse(tested.stdout), [{ diagnostics: [], tests: [{ name: 'it counts', passed: false }] }])
})

test('a file that cannot be read, or a document of lists with errors, is reported', async (t) => {
  const file = await files(t)
  const flow = await file('flow.json', documentOf())
  t.regex((await run(['flows', 'check', `${flow}.no`])).stderr, /flow\.json\.no/)
  const { code, stderr } = await run(['flows', 'test', flow, '--schema', flow])
  t.is(code, 1)
  t.regex(stderr, /flow\.json is not a valid document:\n {2}version is not allowed/)
})
