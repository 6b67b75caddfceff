import test, { type ExecutionContext } from 'ava'
import { loadConfig } from '#shared/config/load.ts'
import type { Database } from '#shared/data/database.ts'
import { findsMark, getInstallationId, leaveMark, renewInstallationId } from '#shared/data/settings/installation.ts'
import { putSetting } from '#shared/data/settings/settings.ts'
import { firstIdAt } from '#shared/domain/id.ts'
import { describeError } from '#shared/lifecycle/describe-error.ts'
import { startExitCode, startExitCodes } from '#shared/lifecycle/start-error.ts'
import { findMembers, type Joined, joinInstallation } from '#shared/ops/join-installation.ts'
import { databaseSettings, testDatabase } from '../../support/databases/database.ts'
import { type NatsServer, testNats } from '../../support/nats/nats.ts'
import { testLog } from '../../support/test-context/test-log.ts'

type Process = { db: Database; dataDir: string; join(env?: Record<string, string>): Promise<Joined> }

/** A process with its own database, whose installation it can join. */
async function processOf(t: ExecutionContext, nats: NatsServer): Promise<Process> {
  const { db, dataDir } = await testDatabase(t)
  await renewInstallationId(db)
  const { log } = testLog(t, 'gateway')
  return {
    db,
    dataDir,
    async join(env = {}) {
      const settings = { LISTD_DATA_DIR: dataDir, LISTD_NATS_URL: nats.url, ...databaseSettings(dataDir), ...env }
      const config = loadConfig({ env: settings })
      const joined = await joinInstallation({ service: 'gateway', config, db, log })
      t.teardown(joined.bus.close)
      return joined
    },
  }
}

/** The message with which a process ends: at its start, or later if the other processes answer slowly. */
const rejectionOf = (joining: Promise<Joined>): Promise<string> =>
  joining.then(
    ({ failed }) => failed,
    (error: unknown) => {
      if (startExitCode(error) !== startExitCodes.tryAgain) throw error
      return describeError(error)
    },
  )

/** Copies the installation id of one database to another, as a copy of the database would have it. */
async function copyId(from: Process, to: Process): Promise<string> {
  const id = await getInstallationId(from.db)
  await putSetting(to.db, 'installationId', id)
  return id
}

test('processes of one database, and installations of different ones, share a NATS server', async (t) => {
  const nats = await testNats(t)
  const [one, other] = [await processOf(t, nats), await processOf(t, nats)]
  const joined = await Promise.all([one.join(), one.join(), other.join(), other.join()])
  t.true(joined.every(({ bus }) => bus.connected()))
})

test('a copy is rejected while its original runs, with a sentence that names both, until it has its own id', async (t) => {
  const nats = await testNats(t)
  const [original, copy] = [await processOf(t, nats), await processOf(t, nats)]
  const id = await copyId(original, copy)
  const { failed } = await original.join()
  let ended = false
  void failed.then(() => {
    ended = true
  })
  const message = await rejectionOf(copy.join())
  t.true(message.startsWith(`two installations use the names listd-${id.slice(-12)}.* on this NATS server: `), message)
  t.regex(message, /the gateway on \S+ with \S+, which stops now, and the gateway on \S+ with \S+\. /)
  t.regex(message, /"listd db new-id"/)
  t.false(ended, 'the original continues')
  await renewInstallationId(copy.db)
  await t.notThrowsAsync(copy.join())
})

test('a command finds the processes that run on a database, also next to other installations, and ends none of them', async (t) => {
  const nats = await testNats(t)
  const [one, copy] = [await processOf(t, nats), await processOf(t, nats)]
  await copyId(one, copy)
  const joined = [await one.join(), await one.join()]
  const config = loadConfig({ env: { LISTD_DATA_DIR: one.dataDir, ...databaseSettings(one.dataDir) } })
  const found = await findMembers(joined[0]?.bus ?? t.fail(), { config, db: one.db })
  t.deepEqual(
    found.map(({ service }) => service),
    ['gateway', 'gateway'],
  )
  const asStranger = { config, db: copy.db }
  t.deepEqual(await findMembers(joined[0]?.bus ?? t.fail(), asStranger), [])
  t.is(await Promise.race([...joined.map(({ failed }) => failed), 'all continue']), 'all continue')
})

test('a mark is found however many write theirs at the same time, and is removed after a minute', async (t) => {
  const { db } = await testDatabase(t)
  const [old = '', young = ''] = [61_000, 30_000].map(
    (ageMs) => `${firstIdAt(Date.now() - ageMs)}-7000-8000-000000000000`,
  )
  await putSetting(db, 'marks', `${young} ${old}`)
  const marks: string[] = []
  for (let n = 0; n < 150; n++) marks.push(await leaveMark(db))
  t.true((await Promise.all([young, ...marks].map((mark) => findsMark(db, mark)))).every(Boolean))
  t.false(await findsMark(db, old))
})

test('two installations with the same nats.prefix are rejected too', async (t) => {
  const nats = await testNats(t)
  const [one, other] = [await processOf(t, nats), await processOf(t, nats)]
  const env = { LISTD_NATS_PREFIX: 'shop' }
  await one.join(env)
  t.regex(await rejectionOf(other.join(env)), /two installations use the names shop\.\*.*nats\.prefix/)
})

test('a copy that was started while NATS was down fails when NATS comes back', async (t) => {
  const nats = await testNats(t)
  const [original, copy] = [await processOf(t, nats), await processOf(t, nats)]
  await copyId(original, copy)
  const first = await original.join()
  await nats.stop()
  const { failed } = await copy.join()
  await nats.start()
  t.regex(await failed, /two installations use the names/)
  t.true(first.bus.connected())
})

test('an unreadable file of credentials is named with its key, and the next start cannot correct it', async (t) => {
  const process = await processOf(t, await testNats(t))
  const error = await t.throwsAsync(process.join({ LISTD_NATS_CREDS_FILE: '/nowhere/listd.creds' }), {
    message: 'nats.credsFile cannot be read: /nowhere/listd.creds does not exist.',
  })
  t.is(startExitCode(error), startExitCodes.configuration)
})
