import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import test, { type ExecutionContext } from 'ava'
import { routes } from '#services/gateway/resources/index.ts'
import { makeAccount } from '../../../support/http/callers.ts'
import { startGateway, type TestGateway } from '../../../support/http/gateway.ts'
import { commandsWith } from '../../../support/processes/command-line.ts'
import { testFolder } from '../../../support/test-context/folder.ts'
import { afterAll } from '../../../support/test-context/shared.ts'
import { webhookWith } from '../../../support/webhooks/webhook-calls.ts'

const cleanup = afterAll()
let gateway: TestGateway
test.before(async () => {
  gateway = await startGateway(cleanup, { routes })
})

type Rows = Parameters<typeof webhookWith>[1]

/** Two webhooks with these deliveries, and commands as the user of their account. */
async function world(t: ExecutionContext, first: Rows, second: Rows = []) {
  const account = await makeAccount(gateway.deps.db)
  const webhooks = [await webhookWith({ gateway, account }, first), await webhookWith({ gateway, account }, second)]
  const home = await testFolder(t)
  await mkdir(join(home, 'listd'))
  const session = (account.user.authorization ?? '').slice('Bearer '.length)
  const profile = { url: `http://127.0.0.1:${gateway.port}`, email: 'ada@example.com', session, expiresAt: '' }
  await writeFile(join(home, 'listd', 'profiles.json'), JSON.stringify({ profiles: { default: profile } }))
  const command = commandsWith({ XDG_CONFIG_HOME: home })
  const run = (line: string, input?: { input: string; isTTY: true }) => command(line.split(' ').filter(Boolean), input)
  const shown = async (line: string) =>
    JSON.parse((await run(`webhooks deliveries --json ${line}`)).stdout).map(({ id }: { id: string }) => id)
  const ids = webhooks.map((webhook) => webhook.ids)
  return { webhookIds: webhooks.map(({ webhookId }) => webhookId), ids, run, shown }
}

const badGateway = { status: 'failed', responseStatus: 502 } as const
const timedOut = { status: 'failed', error: 'timeout' } as const

test('the newest deliveries of all webhooks or of one are listed, if they match every filter', async (t) => {
  const { webhookIds, ids, run, shown } = await world(
    t,
    [badGateway, timedOut, {}],
    [badGateway, { status: 'pending' }],
  )
  const [[a = '', b = '', c = ''] = [], [d = '', e = ''] = []] = ids
  t.deepEqual((await shown('')).toSorted(), [a, b, c, d, e].toSorted())
  t.deepEqual(await shown(webhookIds[0] ?? ''), [c, b, a])
  t.deepEqual(await shown('--response-status 5xx --status failed'), [d, a])
  t.deepEqual(await shown('--error timeout --event item. --start-at 1970-01-01'), [b])
  t.deepEqual(await shown('--end-at 1969-12-31'), [])
  const table = await run(`webhooks deliveries ${webhookIds[0]} --limit 2`)
  t.regex(
    table.stdout,
    /^CREATED +ID +WEBHOOK +EVENT +ITEM +STATUS +ATTEMPTS +OUTCOME +NEXT ATTEMPT\n.*\n.*failed +\d +timeout +-\n$/,
  )
  t.is(table.stderr, 'Only the newest 2 are shown; --limit shows more.\n')
  t.regex((await run('webhooks deliveries --limit 0')).stderr, /--limit must be a number from 1 to 1000/)
  t.regex((await run('webhooks deliveries --response-status bad')).stderr, /responseStatus .*must be a status/)
  t.is((await run('webhooks deliveries 01938e9a-4f6b-7c3a-9d2e-5b8f0a1c2d3e')).code, 6)
})

test('failed deliveries are counted, and sent again after a confirmation', async (t) => {
  const { webhookIds, ids, run, shown } = await world(t, [badGateway, timedOut, {}], [badGateway])
  const [[a = '', b = '', c = ''] = [], [d = ''] = []] = ids
  const dryRun = await run('webhooks redeliver --start-at 1970-01-01 --dry-run --json')
  t.deepEqual(JSON.parse(dryRun.stdout), { queued: 3, skipped: 0 })
  t.deepEqual(await shown('--status pending'), [])

  const unasked = await run('webhooks redeliver --response-status 502')
  t.like(unasked, { code: 5, stdout: '' })
  const rejected = await run('webhooks redeliver --response-status 502', { input: 'no\n', isTTY: true })
  t.is(rejected.code, 5)
  t.regex(rejected.stderr, /^2 deliveries would be sent again\. Send them again from http:\S+\? Type yes to go ahead: /)
  t.deepEqual(await shown('--status pending'), [])

  const confirmed = await run('webhooks redeliver --response-status 502', { input: 'yes\n', isTTY: true })
  t.is(confirmed.stdout, 'Queued 2 deliveries to be sent again.\n')
  t.deepEqual((await shown('--status pending')).toSorted(), [a, d].toSorted())
  const settled = await run(`webhooks redeliver ${webhookIds[0]} --status settled --start-at 1970-01-01 --yes`)
  t.is(settled.stdout, 'Queued 2 deliveries to be sent again.\n')
  t.deepEqual((await shown('--status pending')).toSorted(), [a, b, c, d].toSorted())
  const nothing = await run('webhooks redeliver --error tls', { input: '', isTTY: true })
  t.like(nothing, { code: 0, stdout: 'Queued 0 deliveries to be sent again.\n', stderr: '' })
})

test('without a filter the command requests one', async (t) => {
  const { run } = await world(t, [badGateway])
  t.regex((await run('webhooks redeliver --yes')).stderr, /^listd: choose deliveries with --start-at/)
})

test('deliveries for which there is no room are reported', async (t) => {
  const full = Array.from({ length: 999 }, () => ({ status: 'pending' }) as const)
  const { run } = await world(t, [...full, badGateway, badGateway])
  const { stdout } = await run('webhooks redeliver --response-status 502 --yes')
  t.is(
    stdout,
    'Queued 1 delivery to be sent again. There is no room for 1 other, because too many deliveries are waiting.\n',
  )
})
