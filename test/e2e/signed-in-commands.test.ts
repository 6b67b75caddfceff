import { once } from 'node:events'
import { readFile } from 'node:fs/promises'
import { createServer, type IncomingHttpHeaders } from 'node:http'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import test, { type ExecutionContext } from 'ava'
import { verifyWebhook } from '../../client/src/verify.ts'
import { until } from '../support/assertions/until.ts'
import { testPassword } from '../support/http/credentials.ts'
import { programOn } from '../support/processes/command-line.ts'
import { freePort } from '../support/processes/free-port.ts'
import { listdProgram } from '../support/processes/listd-program.ts'
import { testProcess } from '../support/processes/process.ts'
import { assertNoSecrets } from '../support/test-context/canaries.ts'
import { shared } from '../support/test-context/shared.ts'
import { createItem, setScene, setSceneOn } from '../support/webhooks/scene.ts'

const base = shared((t) => setScene(t, { webhooks: 0 }))

/** A user of a new account with a webhook, and commands that store sessions in a folder of this test. */
async function world(t: ExecutionContext) {
  const scene = await setSceneOn(t, base())
  const { listd } = scene
  const env = { XDG_CONFIG_HOME: join(listd.dataDir, listd.credentials.accountId), LISTD_PROFILE: 'mine' }
  const start = programOn(listd.dataDir)
  async function run(line: string, input = '') {
    const result = await start(line.split(' '), { input, env })
    assertNoSecrets(line, result.stdout + result.stderr)
    return result
  }
  const login = (password: string) =>
    run(`login --email ${listd.credentials.email} --url ${listd.address} --password-stdin`, password)
  /** Starts a command that runs until it is interrupted, and waits for this output. */
  async function startLasting(line: string, said: RegExp) {
    const command = testProcess(t, [listdProgram, ...line.split(' ')], { env: { ...process.env, ...env } })
    await command.printed(said)
    return command
  }
  return { scene, env, run, login, startLasting }
}

test('a user signs in on the command line, and out, and is notified when the session has ended', async (t) => {
  const { scene, env, run, login } = await world(t)
  const sessions = async () => (await scene.listd.user('GET', '/auth/self/sessions')).json.total
  t.is((await login('battery staple')).code, 7)
  t.is(await sessions(), 1)
  t.regex(
    (await login(testPassword)).stderr,
    /^Signed in to http:\/\/127\.0\.0\.1:\d+ as \S+ until \S+Z, as the profile "mine"\.\n$/,
  )
  t.is(await sessions(), 2)
  t.regex(await readFile(join(env.XDG_CONFIG_HOME, 'listd/profiles.json'), 'utf8'), /"session": "listd_/)
  t.is((await run('logout')).code, 0)
  t.is(await sessions(), 1)
  await login(testPassword)
  t.is((await scene.listd.user('DELETE', '/auth/self/sessions')).status, 204)
  const { code, stderr } = await run('webhooks list')
  t.is(code, 7)
  const { email } = scene.listd.credentials
  t.true(stderr.includes(`has ended; "listd login --email ${email} --profile mine" starts another.`), stderr)
})

test('a signed-in user sees the webhooks, and the events of the account as they happen', async (t) => {
  const { scene, run, login, startLasting } = await world(t)
  await login(testPassword)
  const [webhook] = scene.webhooks
  const { stdout } = await run('webhooks list')
  t.regex(stdout, /^ID +URL +EVENTS +STATE +WAITING +HELD +MISSED +FAILED IN A ROW +DESCRIPTION\n.*\n$/)
  t.regex(stdout, new RegExp(`\n${webhook?.id} +https://\\S+ +item\\.created +active +0 +0 +0 +0 +-\n$`))
  t.like(JSON.parse((await run('webhooks list --json')).stdout), [{ id: webhook?.id, activated: true }])

  const before = await createItem(scene)
  const tail = await startLasting('events tail --stream item --json', /Waiting for events/)
  const items = [await createItem(scene), await createItem(scene)]
  await until(() => seenItems(tail.stdout()).length >= 2 || tail.stdout(), { what: 'both items' })
  t.deepEqual(seenItems(tail.stdout()), items)
  t.false(tail.stdout().includes(before))
  tail.child.kill('SIGINT')
  t.deepEqual(await tail.ended, { code: 0, signal: null })
  assertNoSecrets('events tail', tail.stdout() + tail.stderr())
})

test('for one list only its own events are printed, and its stream reports them', async (t) => {
  const { scene, run, login, startLasting } = await world(t)
  await login(testPassword)
  t.is((await scene.listd.user('PUT', '/lists/recipes', { body: { realtime: true } })).status, 200)
  await scene.listd.user('POST', '/lists', { body: { name: 'Other', pathName: 'other', realtime: true } })
  t.is((await run('events tail --list gone')).code, 6)
  const tail = await startLasting('events tail --list recipes --json', /Waiting for events/)
  await scene.listd.user('POST', '/lists/other/items', { body: { data: {} } })
  const items = [await createItem(scene), await createItem(scene)]
  await until(() => seenItems(tail.stdout()).length >= 2 || tail.stdout(), { what: 'both items' })
  t.deepEqual(seenItems(tail.stdout()), items)
  tail.child.kill('SIGINT')
  t.deepEqual(await tail.ended, { code: 0, signal: null })
  // A stream is logged when it has ended.
  await until(() => scene.listd.logged('"route":"/realtime"').length > 0)
})

test('the deliveries of a webhook also reach a program on this machine, once it listens, and the receiver is not affected', async (t) => {
  const { scene, login, startLasting } = await world(t)
  await login(testPassword)
  const [webhook] = scene.webhooks
  if (!webhook) throw new Error('the scene has no webhook')
  await createItem(scene)
  const to = `http://127.0.0.1:${await freePort()}/hook`
  const listen = await startLasting(`webhooks listen ${webhook.id} --to ${to} --json`, /; press ctrl-c to stop/)
  await createItem(scene)
  await listen.printed(/Nothing listens at \S+ \(ECONNREFUSED\); deliveries wait until something does/)
  await createItem(scene)
  const program = await localProgram(t, to)
  await createItem(scene)
  await until(() => program.length >= 3 || listen.stderr(), { what: 'three deliveries', withinMs: 60_000 })

  const [, ...sent] = await webhook.receiver.received(4)
  t.deepEqual(
    program.map(({ body }) => body),
    sent.map(({ body }) => body.toString()),
  )
  const { secret } = webhook
  for (const { headers, body } of program) await verifyWebhook({ secret, headers, body: Buffer.from(body) })
  await until(() => jsonLines(listen.stdout()).length === 3 || listen.stdout(), { what: 'three outcomes' })
  t.like(jsonLines(listen.stdout()), [{ status: 204 }, { status: 500 }, { status: 302 }])
  listen.child.kill('SIGINT')
  t.deepEqual(await listen.ended, { code: 0, signal: null })
  assertNoSecrets('webhooks listen', listen.stdout() + listen.stderr())
  t.is(webhook.receiver.requests.length, 4)
})

/** A program that answers with success, an error and a redirect, and stores the requests. */
async function localProgram(t: ExecutionContext, url: string) {
  const requests: { headers: IncomingHttpHeaders; body: string }[] = []
  const replies = [204, 500, 302]
  const server = createServer(async (request, response) => {
    requests.push({ headers: request.headers, body: await text(request) })
    response.writeHead(replies.shift() ?? 204, { location: url }).end()
  })
  server.listen(Number(new URL(url).port), '127.0.0.1')
  await once(server, 'listening')
  t.teardown(() => {
    server.closeAllConnections()
    server.close()
  })
  return requests
}

function jsonLines(lines: string) {
  return lines
    .split('\n')
    .filter(Boolean)
    .map((line) => JSON.parse(line))
}

function seenItems(lines: string): string[] {
  return jsonLines(lines).map(({ modelId }) => modelId)
}
