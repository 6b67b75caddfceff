import { spawnSync } from 'node:child_process'
import test from 'ava'
import { until } from '../support/assertions/until.ts'
import { createApi } from '../support/http/api.ts'
import { makeCredentials, testPassword } from '../support/http/credentials.ts'
import { commandLine, commandsOn, programOn, type RunCommand } from '../support/processes/command-line.ts'
import { type Listd, testListd } from '../support/processes/listd.ts'
import { listdProgram } from '../support/processes/listd-program.ts'
import { afterAll } from '../support/test-context/shared.ts'

const cleanup = afterAll()
let listd: Listd

test.before(async () => {
  listd = await testListd(cleanup)
})

const password = 'correct horse battery'
const withError = { LISTD_NATS_SERVER_PATH: '/nowhere/nats-server', LISTD_NATS_URL: '', LISTD_GATEWAY_PORT: '0' }

type Start = { line: string; input?: string; env?: Record<string, string>; code?: 1; stdout?: RegExp; stderr?: RegExp }

/** Every command once, except those that `listd start` runs. Tests that start no process cover what they do in each case. */
const starts: Start[] = [
  { line: 'migrate', stderr: /^The database schema is already at version \d+\.\n$/ },
  {
    line: 'backup copy.db',
    stderr: /^Backed up the database to .*copy\.db \(.* MiB, schema version \d+\)\.\nThe master key/,
  },
  { line: 'restore copy.db', code: 1, stderr: /^listd: another listd runs on the data directory / },
  {
    line: 'db copy --to sqlite:copied.db',
    stdout: /^TABLE +ROWS +SHA-256\n(.+\n)*accounts +\d+ +[0-9a-f]{64}\n/,
    stderr: /^A listd is running: .*\nBoth databases contain the same rows\./,
  },
  { line: 'account create --name other', stdout: /^[\w-]{36}\n$/, stderr: /^Created the account "other"/ },
  { line: 'account list', stdout: /^ID .*\n(.*\n)*\S+ +other +scale .*\n/ },
  {
    line: 'account set-plan --plan free --account other',
    stderr: /from the plan scale to free; running gateways have been notified\.\n$/,
  },
  { line: 'account add-credits --credits 5 --account other', stderr: /has 5 credits; gateways notice/ },
  { line: 'account recount --account other', stderr: /have 0 bytes in 0 lists: as counted before\.\n$/ },
  {
    line: 'user create --email me@example.com --password-stdin --account other',
    input: `${password}\n`,
    stdout: /^[\w-]{36}\n$/,
    stderr: /^Created the user me@example\.com in the account "other"/,
  },
  { line: 'user list --account other', stdout: /^ID .*\n\S+ +me@example\.com +other .*\n$/ },
  {
    line: 'user set-password --email me@example.com --password-stdin',
    input: password,
    stderr: /^Set the password of me@example\.com\. There were no sessions to end\.\n$/,
  },
  { line: 'token create --allow-all --account other', stdout: /^listd_api_\w+\n$/, stderr: /^Created the token/ },
  { line: 'token list --account other --json', stdout: /^\[\n[^\]]*"account": "other"[^\]]*\]\n$/ },
  {
    line: 'token lock --id none --account other',
    code: 1,
    stderr: /^listd: the account "other" has no token "none"; /,
  },
  {
    line: 'token unlock --id none --account other',
    code: 1,
    stderr: /^listd: the account "other" has no token "none"; /,
  },
  {
    line: 'token rotate --token none --account other --json',
    code: 1,
    stdout: /"exitCode": 1\n\}\n$/,
    stderr: /^listd: the account "other" has no token "none"; /,
  },
  {
    line: 'token delete --token none --account other --yes',
    code: 1,
    stderr: /^listd: the account "other" has no token "none"; /,
  },
  { line: 'completion bash', stdout: /\ncomplete -o default -F _listd listd\n$/ },
  { line: 'config print', stdout: /^KEY +VALUE +SOURCE\n/ },
  { line: 'doctor', env: withError, code: 1, stdout: /\nWRONG +nats-server .*\/nowhere[\s\S]*fixing\.\n$/ },
  { line: 'user list --account third', code: 1, stderr: /^listd: there is no account "third"\. .*\n$/ },
  { line: 'token create --allow-all --permissions []', code: 1, stderr: /cannot be used with/ },
  { line: 'cook', code: 1, stderr: /^listd: unknown command "cook"\. See "listd --help"\.\n$/ },
]

test('every command can be started while a listd runs', async (t) => {
  const start = programOn(listd.dataDir)
  for (const { line, input = '', env = {}, code = 0, stdout = /^$/, stderr = /^$/ } of starts) {
    const result = await start(line.split(' '), { input, env })
    t.is(result.code, code, `${line}: ${result.stderr}`)
    t.regex(result.stdout, stdout, line)
    t.regex(result.stderr, stderr, line)
  }
  t.is((await listd.api('GET', '/lists')).status, 200)
})

test('a reader that closes the output ends a command quietly', (t) => {
  const line = 'set -o pipefail; "$0" completion bash | true'
  t.like(spawnSync('bash', ['-c', line, listdProgram], { encoding: 'utf8' }), { status: 0, stderr: '' })
})

test('the doctor recognizes a running listd', async (t) => {
  const ours = await examine(commandsOn(listd.dataDir))
  t.deepEqual(ours.wrong, [])
  t.is(ours.code, 0)
  t.regex(ours.message('data directory'), /a listd is running on it/)
  t.regex(ours.message('ports'), /used by the running listd/)
  t.regex(ours.message('master key'), /^[0-9a-f]{8}, which seals 0 secrets$/)
  const stranger = await examine((await commandLine(t)).run)
  t.regex(stranger.message('ports'), /in use by a listd on another data directory/)
})

type CheckReport = { check: string; state: string; message: string }

async function examine(run: RunCommand) {
  const env = { LISTD_GATEWAY_PORT: new URL(listd.address).port }
  const { code, stdout } = await run(['doctor', '--json'], { env })
  const reports: CheckReport[] = JSON.parse(stdout)
  const message = (name: string) => reports.find(({ check }) => check === name)?.message ?? ''
  return { code, message, wrong: reports.filter(({ state }) => state === 'wrong') }
}

test('a new password ends the sessions of the user, which a running gateway notices', async (t) => {
  const { email, session } = await makeCredentials(listd.dataDir)
  const user = createApi(() => listd.address, { authorization: `Bearer ${session}` })
  t.is((await user('GET', '/auth/self')).status, 200)
  const args = ['user', 'set-password', '--password-stdin', '--email', email.toUpperCase()]
  const set = await commandsOn(listd.dataDir)(args, { input: password })
  t.regex(set.stderr, /^Set the password of .*\. Ended one session; running gateways have been notified\.\n$/)
  await until(async () => (await user('GET', '/auth/self')).status === 401, { withinMs: 50_000, what: 'a 401' })
  const login = (given: string) => listd.api('POST', '/auth/login', { body: { email, password: given } })
  await until(async () => (await login(password)).status === 200, { what: 'a login with the new password' })
  t.is((await login(testPassword)).status, 401)
})

test('a locked token is rejected until it is unlocked, which a running gateway notices, and no user unlocks it', async (t) => {
  const { accountId, session, token } = await makeCredentials(listd.dataDir)
  const api = createApi(() => listd.address, { 'x-api-token': token })
  const user = createApi(() => listd.address, { authorization: `Bearer ${session}` })
  const { id } = (await api('GET', '/tokens/self')).json.token
  const change = (command: string) => commandsOn(listd.dataDir)(['token', command, '--id', id, '--account', accountId])
  const answered = (status: number) => async () => (await api('GET', '/lists')).status === status
  t.regex((await change('lock')).stderr, /is locked; running gateways have been notified\.\n$/)
  await until(answered(401), { withinMs: 50_000, what: 'a 401' })
  t.like((await user('PUT', `/tokens/${id}`, { body: { activated: true } })).json, { locked: true })
  t.is((await user('POST', `/tokens/${id}/rotate`)).json.locked, true)
  t.is((await change('unlock')).code, 0)
  t.like((await user('GET', `/tokens/${id}`)).json, { locked: false })
})
