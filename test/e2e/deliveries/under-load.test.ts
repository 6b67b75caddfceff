import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { getPriority } from 'node:os'
import test from 'ava'
import { findSetting, putSetting } from '#shared/data/settings/settings.ts'
import { until } from '../../support/assertions/until.ts'
import { anotherConnection } from '../../support/databases/database.ts'
import { served } from '../../support/http/api.ts'
import { login, registerIdentity } from '../../support/identity/as-identity.ts'
import { floodEnv, floodLogins } from '../../support/identity/login-flood.ts'
import { rounds } from '../../support/load/soak.ts'
import { type Listd, testListd } from '../../support/processes/listd.ts'
import { startTestProgram } from '../../support/programs/test-program.ts'
import { shared } from '../../support/test-context/shared.ts'

const eightCores = new URL('../../support/programs/eight-cores.ts', import.meta.url)
const processes = shared((t) => testListd(t, { env: { ...floodEnv, NODE_OPTIONS: `--import=${eightCores.href}` } }))
const patience = { withinMs: 120_000 }

test.serial('the identity service has the lowest priority, as a session and with each of its threads', async (t) => {
  const task = await hashingTask(processes())
  for (const thread of readdirSync(task)) t.is(getPriority(Number(thread)), 10)
  const session = `${task}/../autogroup`
  if (existsSync(session)) t.regex(readFileSync(session, 'utf8'), / nice 10$/m)
})

test.serial(
  'on eight cores eight passwords are hashed at once, and two threads are left for the database',
  async (t) => {
    const task = await hashingTask(processes())
    const names = readdirSync(task).map((thread) => readFileSync(`${task}/${thread}/comm`, 'utf8').trim())
    t.is(names.filter((name) => name === 'libuv-worker').length, 10)
  },
)

test.serial('during a flood of logins every read is answered, and health stays green', async (t) => {
  t.timeout(rounds({ once: 300_000, soak: 1_800_000 }))
  const listd = processes()
  const path = await makeItem(listd)
  const flood = floodLogins(listd)
  t.teardown(flood.stop)
  await until(async () => flood.verified() > 0, { ...patience, what: 'a login to be verified' })
  for (let round = 0; round < rounds({ once: 20, soak: 3_000 }); round++) {
    const reads = await Promise.all(Array.from({ length: 16 }, () => listd.api('GET', path)))
    t.deepEqual([...new Set(reads.map(({ status }) => status))], [200])
    t.like(await listd.api('GET', '/health/ready'), { status: 200, json: { status: 'ok' } })
  }
})

test.serial('writes and logins succeed next to a process that commits as fast as it can', async (t) => {
  t.timeout(rounds({ once: 300_000, soak: 1_800_000 }))
  const { api, dataDir } = processes()
  const ada = { name: 'Ada' }
  await registerIdentity({ api }, ada)
  const db = await anotherConnection(t, dataDir, { pool: 1 })
  const version = (await findSetting(db, 'version')) ?? ''
  const committer = await startTestProgram(t, 'busy-committer.ts', dataDir)
  const before = await committer.ask<{ committed: number }>('start')
  const times = rounds({ once: 20, soak: 300 })
  for (let n = 0; n < times; n++) {
    await t.notThrowsAsync(db.transaction((tx) => putSetting(tx, 'version', version)))
    if (n % 5 === 0) t.is((await served(() => login(api, ada))).status, 200)
  }
  const { committed } = await committer.ask<{ committed: number }>('stop')
  t.true(committed - before.committed > times)
})

/** The folder in which Linux lists the threads of the identity service; a first login has started those that hash. */
async function hashingTask({ api, pidOf }: Listd): Promise<string> {
  const body = { email: 'nobody@listd.example', password: 'a wrong password' }
  const { status, text } = await served(() => api('POST', '/auth/login', { body }))
  if (status !== 401 && status !== 429) throw new Error(text)
  return `/proc/${pidOf('identity')}/task`
}

async function makeItem({ api }: Listd): Promise<string> {
  await api('POST', '/sync-schema', { body: { lists: { notes: {} } } })
  const { status, text, json } = await api('POST', '/lists/notes/items', { body: { data: { text: 'Soup' } } })
  if (status !== 201) throw new Error(text)
  return `/lists/notes/items/${json.id}`
}
