import test, { type ExecutionContext } from 'ava'
import { routes } from '#services/gateway/resources/index.ts'
import type { PermissionRule } from '#shared/domain/access/permission-rule.ts'
import { documentOf } from '../../../support/flows/documents.ts'
import { flowCommands } from '../../../support/flows/flow-commands.ts'
import { startGateway, type TestGateway } from '../../../support/http/gateway.ts'
import { afterAll } from '../../../support/test-context/shared.ts'

const cleanup = afterAll()
let gateway: TestGateway
test.before(async () => {
  gateway = await startGateway(cleanup, { routes })
})

const world = (t: ExecutionContext, rules?: PermissionRule[]) => flowCommands(t, gateway, rules)

test('a flow that matches its file is checked again, and reported if the server would now reject it', async (t) => {
  const { run, asToken, file, client } = await world(t, [{ mode: 'allow', action: 'view', resourceType: 'flow' }])
  await client.lists.create({ pathName: 'cards' })
  const { id } = await client.list('cards').indexes.create({ pathName: 'state', pointer: '/state', filtering: true })
  const page = { id: 'found', type: 'list-items', list: 'cards', where: { or: '[{state: "open"}]' } }
  const nodes = [page, { id: 'answer', type: 'respond', body: 'length(steps.found)' }]
  const edges = [['found', 'answer']]
  const counts = { tests: [{ name: 'it counts', expect: { body: 0 } }] }
  const flow = await file('count.json', { document: documentOf({ nodes, edges }), tests: counts })
  const other = await file('other.json', documentOf({ name: 'Other', entry: { type: 'endpoint', path: 'other' } }))
  t.like(await run(['flows', 'push', flow, other]), { code: 0, stderr: '' })

  const push = () => run(['flows', 'push', flow, other])
  const unchanged = '"Greet" is unchanged.\n"Other" is unchanged.\n'
  t.deepEqual(await push(), { code: 0, stdout: unchanged, stderr: '' })
  await client.list('cards').indexes.update(id, { filtering: false })
  const unserved = await push()
  t.like(unserved, { code: 1, stdout: unchanged })
  t.regex(
    unserved.stderr,
    /count\.json:\d+:\d+ warning INDEX_NOT_USABLE document\.nodes\.0\.where\.or has the condition "state"/,
  )
  t.regex(unserved.stderr, /\n✗ it counts\n/)
  t.regex(unserved.stderr, /\nlistd: The server still has the flow of \S+count\.json, but would now reject it\.\n$/)
  await client.lists.delete('cards')
  t.regex(
    (await push()).stderr,
    /count\.json:\d+:\d+ error UNKNOWN_LIST document\.nodes\.0\.list is not a list of the account/,
  )
  t.deepEqual(await asToken(['flows', 'push', other]), {
    code: 0,
    stdout: '"Other" is unchanged.\n',
    stderr: `${other} was not checked again: that needs the permission to create flows.\n`,
  })
})

test('flows are checked and tested on a server, from files and all of its own', async (t) => {
  const { run, file, client } = await world(t)
  await client.lists.create({ pathName: 'cards' })
  const nodes = [{ id: 'created', type: 'create-item', list: 'cards', data: '{}' }]
  const flow = await file('make.json', {
    document: documentOf({ name: 'Make', entry: { type: 'endpoint', path: 'make' }, nodes }),
    tests: { tests: [{ name: 'it makes', expect: { status: 204 } }] },
  })
  t.is((await run(['flows', 'check', flow, '--server'])).stdout, `${flow} has no errors.\n`)
  t.regex((await run(['flows', 'test', flow, '--server'])).stdout, /✔ it makes\n\S+make\.json: 1 of 1 test passed\.\n$/)
  t.is((await client.flowDefinitions.all().page(1)).total, 0, 'nothing is saved')
  await run(['flows', 'push', flow, await file('greet.json', documentOf())])
  t.deepEqual(await run(['flows', 'check', '--server']), {
    code: 0,
    stdout: '"Make" has no errors.\n"Greet" has no errors.\n',
    stderr: '',
  })
  await client.lists.update('cards', { schema: { required: ['title'] } })
  const { code, stdout } = await run(['flows', 'test', '--server'])
  t.is(code, 1)
  t.regex(stdout, /✗ it makes\n/)
  await client.lists.update('cards', { pathName: 'decks' })
  const renamed = await run(['flows', 'check', '--server', '--json'])
  t.is(renamed.code, 1)
  t.like(JSON.parse(renamed.stdout), [{ file: '"Make"', diagnostics: [{ code: 'UNKNOWN_LIST' }] }, { diagnostics: [] }])
  const wrong = async (...args: string[]) => (await run(['flows', 'check', ...args])).stderr
  t.is(await wrong(), 'listd: specify files, or use --server for all flows of a listd.\n')
  t.is(await wrong(flow, '--server', '--schema', flow), 'listd: use --schema or --server, not both.\n')
  t.is(await wrong(flow, '--profile', 'default'), 'listd: --profile can only be used with --server.\n')
})
