import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import test, { type ExecutionContext } from 'ava'
import { until } from '../support/assertions/until.ts'
import { testPassword } from '../support/http/credentials.ts'
import { listdProgram, programOn } from '../support/processes/command-line.ts'
import { testProcess } from '../support/processes/process.ts'
import { assertNoSecrets } from '../support/test-context/canaries.ts'
import { shared } from '../support/test-context/shared.ts'
import { createItem, setScene, setSceneOn } from '../support/webhooks/scene.ts'

const base = shared((t) => setScene(t, { webhooks: 0 }))

/** A user of an account of its own, with a webhook, and commands that keep sessions in a folder of this test. */
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
  /** Starts what runs until it is interrupted, and waits until it says this. */
  async function startLasting(line: string, said: RegExp) {
    const command = testProcess(t, [listdProgram, ...line.split(' ')], { env: { ...process.env, ...env } })
    await command.printed(said)
    return command
  }
  return { scene, env, run, login, startLasting }
}

test('a user signs in on the command line, and out', async (t) => {
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
})

test('a session that has ended is told with the command that begins another', async (t) => {
  const { scene, run, login } = await world(t)
  await login(testPassword)
  t.is((await scene.listd.user('DELETE', '/auth/self/sessions')).status, 204)
  const { code, stderr } = await run('webhooks list')
  t.is(code, 7)
  const { email } = scene.listd.credentials
  t.true(stderr.includes(`has ended; "listd login --email ${email} --profile mine" begins another.`), stderr)
})

test('a signed-in user sees the webhooks, and what happens in the account as it happens', async (t) => {
  const { scene, run, login, startLasting } = await world(t)
  await login(testPassword)
  const [webhook] = scene.webhooks
  const { stdout } = await run('webhooks list')
  t.regex(stdout, /^ID +URL +EVENTS +STATE +WAITING +MISSED +FAILED IN A ROW +DESCRIPTION\n.*\n$/)
  t.regex(stdout, new RegExp(`\n${webhook?.id} +https://\\S+ +item\\.created +active +0 +0 +0 +-\n$`))
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

function seenItems(lines: string): string[] {
  return lines
    .split('\n')
    .filter(Boolean)
    .map((line) => JSON.parse(line).modelId)
}
