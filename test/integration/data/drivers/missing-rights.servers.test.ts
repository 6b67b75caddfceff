import { randomBytes } from 'node:crypto'
import test, { type ExecutionContext } from 'ava'
import type { Check } from '#services/supervisor/doctor/check.ts'
import { databaseVersion, firstUser } from '#services/supervisor/doctor/database/database.ts'
import { databaseWrites } from '#services/supervisor/doctor/database/database-health.ts'
import { masterKey } from '#services/supervisor/doctor/keys.ts'
import { webhooks } from '#services/supervisor/doctor/webhooks.ts'
import { loadConfig } from '#shared/config/load.ts'
import type { Database } from '#shared/data/database.ts'
import { findStorageFailure } from '#shared/data/find-storage-failure.ts'
import { migrate } from '#shared/data/migrate.ts'
import { openDatabase } from '#shared/data/open-database.ts'
import { putSetting } from '#shared/data/settings/settings.ts'
import { describeError } from '#shared/lifecycle/describe-error.ts'
import {
  anotherConnection,
  databaseSettings,
  emptyDirectory,
  migratedDirectory,
  testBackend,
} from '../../../support/databases/database.ts'

type Rights = 'select' | 'insert, update, delete'
type Limited = { settings: Record<string, string>; grant(rights: Rights): Promise<unknown>; open(): Promise<Database> }

/** A user of the database of a data directory who may connect to it, and nothing else. */
async function limitedUser(t: ExecutionContext, dataDir: string): Promise<Limited> {
  const owner = await anotherConnection(t, dataDir)
  const name = `listd_limited_${randomBytes(6).toString('hex')}`
  const settings = databaseSettings(dataDir)
  const url = new URL(settings.LISTD_DATABASE_URL ?? '')
  const schema = testBackend === 'mysql' ? `${url.pathname.slice(1)}.*` : 'all tables in schema public'
  const grant = (rights: Rights | 'create view') => owner.run(`grant ${rights} on ${schema} to ${name}`)
  if (testBackend === 'mysql') {
    await owner.run(`create user ${name} identified by 'limited'`)
    t.teardown(() => owner.run(`drop user ${name}`))
    await grant('create view') // without any right it could not connect
  } else {
    await owner.run(`create role ${name} login password 'limited'`)
    t.teardown(async () => {
      await owner.run(`drop owned by ${name}`)
      await owner.run(`drop role ${name}`)
    })
    await owner.run('revoke create on schema public from public')
  }
  Object.assign(url, { username: name, password: 'limited' })
  async function open(): Promise<Database> {
    const db = await openDatabase({ url: url.href, dataDir })
    t.teardown(() => db.close())
    return db
  }
  return { settings: { ...settings, LISTD_DATABASE_URL: url.href, LISTD_DATA_DIR: dataDir }, grant, open }
}

test('a user who may only read is distinguished from an unavailable server, and can still read', async (t) => {
  const user = await limitedUser(t, await migratedDirectory(t))
  await user.grant('select')
  const db = await user.open()
  const error = await t.throwsAsync(putSetting(db, 'trial', ''), { name: 'SERVICE_UNAVAILABLE' })
  t.regex(
    describeError(error),
    /^The user of the database lacks rights that listd needs \(no rights: .* denied .*\)\.$/,
  )
  t.is(await findStorageFailure(db), 'no rights')
  await user.grant('insert, update, delete')
  // MySQL checks the rights of a connection when it is opened.
  await t.notThrowsAsync(user.open().then((another) => putSetting(another, 'trial', '')))
})

test('the migration rejects a user who may create no table with one sentence', async (t) => {
  const user = await limitedUser(t, await emptyDirectory(t))
  const error = await t.throwsAsync(migrate(await user.open()), { name: 'SERVICE_UNAVAILABLE' })
  t.regex(
    describeError(error),
    /^The user of the database lacks rights that listd needs \(no rights: .* denied .*\)\.$/,
  )
})

const checks: readonly Check[] = [databaseVersion, databaseWrites, masterKey, firstUser, webhooks]

test('the doctor reports once that the database user lacks rights', async (t) => {
  const user = await limitedUser(t, await migratedDirectory(t))
  const config = loadConfig({ env: user.settings })
  const examine = async () => {
    const results = await Promise.all(checks.map((check) => check.run({ config, running: false, files: [] })))
    return results.flat().filter(({ state }) => state === 'wrong')
  }
  const none = await examine()
  t.like(none, { length: 1, 0: { fix: 'give the user of LISTD_DATABASE_URL all rights on the database' } })
  await user.grant('select')
  t.like(await examine(), { length: 1, 0: { message: 'data cannot be stored: no rights' } })
})
