import { execFileSync } from 'node:child_process'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import test, { type ExecutionContext } from 'ava'
import { anotherConnection, databaseSettings, testBackend } from '../../support/databases/database.ts'
import { createApi, served } from '../../support/http/api.ts'
import { type FirstRun, startFresh } from '../../support/processes/first-run.ts'
import { processesOn } from '../../support/processes/processes.ts'
import { foundInDatabase } from '../../support/processes/secrets-of.ts'
import { testFolder } from '../../support/test-context/folder.ts'

const email = 'ada@example.com'
const password = 'canary horse battery'

test.serial(
  'the first start prints a link in at most 8 lines, the linked page sets everything up, and nothing logs it',
  async (t) => {
    const dataDir = await testFolder(t)
    const { banner, address, setupToken, anyone, ...listd } = await startFresh(t, dataDir, { LISTD_LOG_LEVEL: 'trace' })
    t.true(banner.length <= 8, banner.join('\n'))
    t.true(banner.some((line) => line.includes(`set up   ${address}/setup#token=listd_setup_`)))
    const curl = banner.at(-1)?.replace('try it', '').trim() ?? ''
    t.like(JSON.parse(execFileSync('sh', ['-c', `${curl} -s`], { encoding: 'utf8' })), { status: 'ok' })
    const page = await fetch(`${address}/setup`)
    t.like(page, { status: 200 })
    t.regex(await page.text(), /<form id="form"/)

    const weak = await anyone('POST', '/auth/setup', { body: { setupToken, email, password: 'short' } })
    t.like(weak, { status: 400, json: { name: 'VALIDATION_FAILED' } })
    const setUp = await served(() => anyone('POST', '/auth/setup', { body: { setupToken, email, password } }))
    t.is(setUp.status, 201, setUp.text)
    const api = createApi(() => address, { 'x-api-token': setUp.json.apiToken.value })
    t.is((await api('POST', '/sync-schema', { body: { lists: { recipes: { name: 'Recipes' } } } })).status, 200)
    t.is((await api('POST', '/lists/recipes/items', { body: { data: { title: 'Soup' } } })).status, 201)
    const user = createApi(() => address, { authorization: `Bearer ${setUp.json.token}` })
    t.is((await user('GET', '/webhooks')).status, 200)
    const eve = { setupToken, email: 'eve@example.com', password }
    const again = await served(() => anyone('POST', '/auth/setup', { body: eve }))
    t.like(again, { status: 400, json: { name: 'IDENTITY_TOKEN_INVALID', code: 20_011, details: { reason: 'used' } } })
    await listd.stop()
    const secrets = [String(setupToken), setUp.json.token, setUp.json.apiToken.value, password]
    for (const line of listd.process.stdout().trimEnd().split('\n')) t.notThrows(() => JSON.parse(line), line)
    await nothingTells(t, { dataDir, output: listd.process.stdout() + listd.process.stderr(), secrets })
  },
)

/** Asserts that no log line, file or row has a secret; hashes are allowed in files and rows. */
async function nothingTells(
  t: ExecutionContext,
  { dataDir, output, secrets }: { dataDir: string; output: string; secrets: readonly string[] },
): Promise<void> {
  const logged = output.split('\n').filter((line) => line.startsWith('{'))
  t.true(logged.some((line) => line.includes('user.first_created')))
  for (const secret of secrets) t.false(logged.join('\n').includes(secret))
  const files = readdirSync(dataDir, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile())
  t.is(
    files.some(({ name }) => name === 'listd.db'),
    testBackend === 'sqlite',
  )
  for (const { parentPath, name } of files) {
    const bytes = readFileSync(join(parentPath, name))
    for (const secret of secrets) t.false(bytes.includes(secret), name)
  }
  const db = await anotherConnection(t, dataDir, { readers: 1 })
  t.deepEqual(await foundInDatabase(db, secrets), [])
  t.deepEqual((await foundInDatabase(db, [email])).toSorted(), [`events: ${email}`, `users: ${email}`])
}

test.serial(
  'each start without a user has its own link; of two concurrent set-ups one wins, and later starts have no link',
  async (t) => {
    const dataDir = await testFolder(t)
    const first = await startFresh(t, dataDir)
    await first.stop()
    const second = await startFresh(t, dataDir)
    t.truthy(second.setupToken)
    t.not(second.setupToken, first.setupToken)
    const setUp = (listd: FirstRun, name: string, setupToken = second.setupToken) =>
      served(() =>
        listd.anyone('POST', '/auth/setup', { body: { setupToken, email: `${name}@example.com`, password } }),
      )
    const login = (listd: FirstRun, name: string) =>
      served(() => listd.anyone('POST', '/auth/login', { body: { email: `${name}@example.com`, password } }))
    t.like(await setUp(second, 'one', first.setupToken), { status: 400, json: { details: { reason: 'unknown' } } })
    const answers = await Promise.all([setUp(second, 'one'), setUp(second, 'two')])
    t.deepEqual(answers.map(({ status }) => status).sort(), [201, 400])
    await second.stop()

    const third = await startFresh(t, dataDir)
    t.is(third.setupToken, null)
    t.notRegex(third.banner.join('\n'), /setup|user create/)
    const logins = await Promise.all([login(third, 'one'), login(third, 'two')])
    t.deepEqual(logins.map(({ status }) => status).sort(), [200, 401])
    t.like(await setUp(third, 'three'), { status: 400, json: { details: { reason: 'used' } } })
  },
)

test.serial('with admin.email and admin.password the first user exists at once, and there is no link', async (t) => {
  const dataDir = await testFolder(t)
  const env = { LISTD_ADMIN_EMAIL: email, LISTD_ADMIN_PASSWORD: password, LISTD_LOG_LEVEL: 'trace' }
  const { anyone, setupToken, process: started } = await startFresh(t, dataDir, env)
  t.is(setupToken, null)
  t.is((await served(() => anyone('POST', '/auth/login', { body: { email, password } }))).status, 200)
  const commands = processesOn(dataDir).map(({ command }) => command)
  t.true(commands.length > 4)
  t.false([started.stdout(), started.stderr(), ...commands].join('\n').includes('canary'))
})

test.serial('the commands of the banner work when pasted, and afterwards the link is invalid', async (t) => {
  const dataDir = await testFolder(t)
  // Command-line options override variables, also in the processes that the command starts.
  const overridden = { LISTD_DATA_DIR: '/nowhere/data', LISTD_GATEWAY_PORT: '1' }
  const options = ['--data-dir', dataDir, '--port', '0']
  const { banner, address, setupToken, anyone } = await startFresh(t, dataDir, overridden, options)
  const [create = '', token = ''] = banner.filter((line) => line.includes('scripts/listd'))
  const env = { ...process.env, LISTD_PASSWORDS_MEMORY_MIB: '19', ...databaseSettings(dataDir) }
  const paste = (command: string) => execFileSync('sh', ['-c', command], { encoding: 'utf8', env, stdio: 'pipe' })
  paste(`echo '${password}' | ${create.trim()} --password-stdin`)
  const value = paste(token.trim()).trim()
  const api = createApi(() => address, { 'x-api-token': value })
  t.is((await api('GET', '/lists')).status, 200)
  const login = { email: 'you@example.com', password }
  t.is((await served(() => anyone('POST', '/auth/login', { body: login }))).status, 200)
  const late = await served(() => anyone('POST', '/auth/setup', { body: { setupToken, email, password } }))
  t.like(late, { status: 400, json: { name: 'IDENTITY_TOKEN_INVALID', details: { reason: 'used' } } })
})
