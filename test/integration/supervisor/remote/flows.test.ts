import { readdir, readFile } from 'node:fs/promises'
import test, { type ExecutionContext } from 'ava'
import { RawNumber } from '#client/src/json.ts'
import { routes } from '#services/gateway/resources/index.ts'
import type { PermissionRule } from '#shared/domain/access/permission-rule.ts'
import { documentOf } from '../../../support/flows/documents.ts'
import { flowCommands } from '../../../support/flows/flow-commands.ts'
import { startGateway, type TestGateway } from '../../../support/http/gateway.ts'
import { makeIdentity } from '../../../support/identity/identities.ts'
import { afterAll } from '../../../support/test-context/shared.ts'

const cleanup = afterAll()
let gateway: TestGateway
test.before(async () => {
  gateway = await startGateway(cleanup, { routes })
})

const world = (t: ExecutionContext, rules?: PermissionRule[]) => flowCommands(t, gateway, rules)

const tests = { tests: [{ name: 'it greets', expect: { body: 'hello' } }] }

test('a flow is created and updated by its name, and an unchanged one is not written', async (t) => {
  const { run, file, client } = await world(t)
  const flow = await file('greet.json', { document: documentOf(), tests })
  t.deepEqual(await run(['flows', 'push', flow]), { code: 0, stdout: 'Created "Greet".\n', stderr: '' })
  const created = await client.flowDefinitions.get('greet')
  t.is((await run(['flows', 'push', flow])).stdout, '"Greet" is unchanged.\n')
  t.deepEqual(await client.flowDefinitions.get('greet'), created)

  const renamed = documentOf({ name: 'GREET', description: 'Says hello.' })
  const other = documentOf({ name: 'Other', entry: { type: 'endpoint', path: 'other' } })
  const files = [await file('renamed.json', renamed), await file('other.json', other)]
  t.is((await run(['flows', 'push', ...files])).stdout, 'Updated "GREET", now at version 2.\nCreated "Other".\n')
  t.like(await client.flowDefinitions.get(created.id), { name: 'GREET', version: 2, tests })

  const paused = await file('paused.json', { document: renamed, activated: false })
  const { stdout } = await run(['flows', 'push', paused, flow, '--json'])
  t.like(JSON.parse(stdout), [
    { file: paused, name: 'GREET', id: created.id, result: 'updated', version: 2 },
    { file: flow, name: 'Greet', id: created.id, result: 'updated', version: 3 },
  ])
  t.false((await client.flowDefinitions.get('greet')).activated)
})

test('errors of the server are reported with lines of the file, and nothing is saved', async (t) => {
  const { run, file, client } = await world(t)
  const nodes = [{ id: 'found', type: 'get-item', list: 'cards', item: 'input.card' }]
  const unknown = await file('unknown.json', { document: documentOf({ nodes }) })
  const rejected = await run(['flows', 'push', unknown])
  t.like(rejected, { code: 1, stdout: '' })
  t.regex(
    rejected.stderr,
    /^listd: \S+: The flow document or its tests have errors; [\s\S]*\n\S+unknown\.json:13:17 error UNKNOWN_LIST document\.nodes\.0\.list is not a list/,
  )
  const failing = { tests: [{ name: 'it shouts', expect: { body: 'HELLO' } }] }
  const failed = await run(['flows', 'push', await file('failing.json', { document: documentOf(), tests: failing })])
  t.regex(failed.stderr, /^listd: \S+: Tests of the flow fail; .*\n✗ it shouts\n {4}body is "hello", not "HELLO"\n/)
  t.regex(
    (await run(['flows', 'push', await file('none.json', '{"document": {}, "test": 1}')])).stderr,
    /none\.json:1:26 /,
  )
  t.regex((await run(['flows', 'push', await file('no-name.json', { ...documentOf(), name: 1 })])).stderr, /:3:11 /)
  t.is((await client.flowDefinitions.all().page(1)).total, 0)

  await client.flowDefinitions.create({ document: documentOf(), tests })
  const loud = await file('loud.json', documentOf({ nodes: [{ id: 'answer', type: 'respond', body: '"HELLO"' }] }))
  t.regex((await run(['flows', 'push', loud])).stderr, /✗ it greets\n {4}body is "HELLO", not "hello"/)
})

test('warnings of a pushed flow go to standard error', async (t) => {
  const { run, file } = await world(t)
  const nodes = [
    { id: 'open', type: 'condition', when: 'input.open' },
    { id: 'answer', type: 'respond', body: '"hello"' },
  ]
  const flow = await file('open.json', documentOf({ nodes, edges: [['open', 'answer', 'true']] }))
  const { code, stdout, stderr } = await run(['flows', 'push', flow])
  t.deepEqual({ code, stdout }, { code: 0, stdout: 'Created "Greet".\n' })
  t.regex(stderr, /^\S+open\.json:9:5 warning DEAD_END nodes\.0 ends the run with 204 at its port "false", .+\n$/)
})

test('a pulled file is what push reads', async (t) => {
  const { run, client, path } = await world(t)
  const { id } = await client.flowDefinitions.create({ document: documentOf(), tests, logged: 'failures' })
  const { stdout } = await run(['flows', 'pull', 'greet'])
  t.deepEqual(JSON.parse(stdout), { document: documentOf(), tests, activated: true, logged: 'failures' })
  t.is((await run(['flows', 'pull', id])).stdout, stdout)
  for (let n = 0; n < 12; n++)
    await client.flowDefinitions.create({
      document: documentOf({ name: n === 0 ? 'greet!' : `Flow ${n}`, entry: { type: 'endpoint', path: `flow${n}` } }),
    })
  const twin = (await client.flowDefinitions.get('greet!')).id
  t.like(await run(['flows', 'pull', '--out', path('all/flows')]), {
    code: 0,
    stderr: `Wrote 13 flows to ${path('all/flows')}.\n`,
  })
  const names = await readdir(path('all/flows'))
  t.is(names.length, 13)
  t.true(names.includes(`greet-${twin}.json`))
  t.is(await readFile(path('all/flows/greet.json'), 'utf8'), stdout)
  const files = names.map((name) => path(`all/flows/${name}`))
  const pushed = await run(['flows', 'push', ...files])
  t.is(pushed.stdout.replaceAll(/^".*" is unchanged\.\n/gm, ''), '')
  t.is(pushed.stdout.split('\n').length, 14)

  t.is((await run(['flows', 'pull', 'greet', '--out', path('one.json')])).stdout, '')
  t.is(await readFile(path('one.json'), 'utf8'), stdout)
  t.is((await run(['flows', 'pull', 'nobody'])).code, 6)
  t.regex((await run(['flows', 'pull'])).stderr, /^listd: specify a flow, or use --out/)
})

test('an API token of the environment is used unless a profile is named', async (t) => {
  const { asToken, run, file } = await world(t, [{ mode: 'allow', action: 'create', resourceType: 'flow' }])
  const flow = await file('greet.json', documentOf())
  t.is((await asToken(['flows', 'push', flow])).code, 7)
  t.is((await asToken(['flows', 'push', flow, '--profile', 'default'])).stdout, 'Created "Greet".\n')
  t.is((await run(['flows', 'push', flow])).stdout, '"Greet" is unchanged.\n')
  t.regex(
    (await run(['flows', 'push', flow, '--profile', 'staging'])).stderr,
    /no user is signed in as the profile "staging"/,
  )
})

test('the runs of a flow, or of all, are listed, and one is shown with its steps', async (t) => {
  const { run, client } = await world(t)
  const nodes = [
    { id: 'enough', type: 'require', when: 'input.n > 1', status: 409, message: 'Too few.' },
    { id: 'answer', type: 'respond', status: 201, body: 'input' },
  ]
  const counted = documentOf({ name: 'Count', nodes, edges: [['enough', 'answer']] })
  await client.flowDefinitions.create({ document: counted })
  const { id } = await client.flowDefinitions.create({
    document: documentOf({ name: 'Gone', entry: { type: 'endpoint', path: 'gone' } }),
  })
  const many = await client.flows.call('greet', { n: new RawNumber('9007199254740993') })
  t.like(many, { status: 201 })
  await t.throwsAsync(client.flows.call('greet', { n: 1 }), { message: 'Too few.' })
  await client.flows.call('gone')
  await client.flowDefinitions.delete(id)

  const table = await run(['flows', 'runs', 'count'])
  t.regex(table.stdout, /^STARTED +RUN +FLOW +VERSION +STATUS +ANSWER +WRITES +EMITS\n/)
  t.regex(table.stdout, /\n\S+Z +\S+ +Count +1 +failed +409 REQUIRE_FAILED +0 +0\n/)
  t.regex(table.stdout, new RegExp(`\n\\S+Z +${many.runId} +Count +1 +succeeded +201 +0 +0\n`))
  const newest = await run(['flows', 'runs', '--limit', '1'])
  t.is(newest.stderr, 'Only the newest 1 are shown; --limit shows more.\n')
  const failed = JSON.parse((await run(['flows', 'runs', '--status', 'failed', '--json'])).stdout)
  t.like(failed, [{ flowVersion: 1, error: { node: 'enough', message: 'Too few.' } }])
  t.is(failed.length, 1)
  t.is((await run(['flows', 'runs', '--end-at', '1970-01-01', '--json'])).stdout, '[]\n')

  const one = await run(['flows', 'runs', '--run', many.runId])
  t.regex(one.stdout, new RegExp(`^${many.runId} succeeded in \\d+ ms with \\d+ steps of expressions: 201 \\{`))
  t.regex(
    one.stdout,
    /\nStarted by \S+@listd\.example\nSteps:\n {2}enough {2}require {2}[\d.]+ ms +true\n {2}answer {2}respond {2}/,
  )
  t.regex((await run(['flows', 'runs', '--run', many.runId, '--json'])).stdout, /"n": 9007199254740993/)
  t.is((await run(['flows', 'runs', '--run', id])).code, 6)
  t.is((await run(['flows', 'runs', 'nobody'])).code, 6)
  t.regex((await run(['flows', 'runs', '--limit', '0'])).stderr, /--limit must be a number from 1 to 999/)
})

test('a flow is run by hand, and a run is repeated', async (t) => {
  const { run, client, file, accountId } = await world(t)
  const nodes = [
    { id: 'many', type: 'require', when: 'input.n > 1', status: 409, message: 'Too few.' },
    { id: 'created', type: 'create-item', list: 'counts', data: '{...input, by: identity?.name}' },
    { id: 'end', type: 'respond', status: 201, body: 'steps.created.data' },
  ]
  const edges = [
    ['many', 'created'],
    ['created', 'end'],
  ]
  await client.lists.create({ pathName: 'counts' })
  await client.flowDefinitions.create({ document: documentOf({ nodes, edges }), activated: false })
  await makeIdentity(gateway.deps.db, { accountId, group: 'members', name: 'ada' })
  const count = () => client.list('counts').items().total()

  const dry = await run(['flows', 'run', 'greet', '--input', '{"n": 9007199254740993}', '--dry-run'])
  t.like(dry, { code: 0, stderr: '' })
  t.regex(
    dry.stdout,
    /: 201 \{"n":9007199254740993,"by":null\}\nStarted by \S+@listd\.example\nSteps:\n[\s\S]*\nWould write:\n {2}create +counts +\S+ +1\.0\.0 +created\n/,
  )
  t.is((await count()).total, 0)
  const input = await file('input.json', { n: 2 })
  const ran = await run(['flows', 'run', 'greet', '--input', input, '--identity', 'members/ada', '--json'])
  t.like(JSON.parse(ran.stdout), {
    status: 'succeeded',
    trigger: { type: 'hand' },
    answer: { body: { n: 2, by: 'ada' } },
  })
  const repeated = await run(['flows', 'repeat', JSON.parse(ran.stdout).id])
  t.like(repeated, { code: 0, stderr: '' })
  t.regex(repeated.stdout, /: 201 \{"n":2,"by":null\}\n/)
  t.is((await count()).total, 2)

  const failed = await run(['flows', 'run', 'greet', '--input', '{"n": 1}'])
  t.like(failed, { code: 1, stderr: 'listd: the run failed.\n' })
  t.regex(failed.stdout, /: 409 REQUIRE_FAILED at "many": Too few\.\n/)
  t.regex(
    (await run(['flows', 'run', 'greet', '--input', '{"n": }'])).stderr,
    /^listd: --input is not valid JSON: .*, at character 7\.\n$/,
  )
  t.regex((await run(['flows', 'run', 'greet', '--input', 'no-file'])).stderr, /no-file/)
  t.is((await run(['flows', 'run', 'nobody'])).code, 6)
  t.is((await run(['flows', 'run', 'greet', '--identity', 'members/bob'])).code, 6)
})
