import { existsSync } from 'node:fs'
import { readFile, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import test from 'ava'
import { masterKeyFile, readMasterKey } from '#services/supervisor/master-key.ts'
import { loadConfig } from '#shared/config/load.ts'
import { openSealer } from '#shared/crypto/seal.ts'
import { migrate } from '#shared/data/migrate.ts'
import { openDatabase } from '#shared/data/open-database.ts'
import { openServiceKeys } from '#shared/data/secrets/service-keys.ts'
import { putSetting } from '#shared/data/settings/settings.ts'
import { startExitCode, startExitCodes } from '#shared/lifecycle/start-error.ts'
import { testDatabase } from '../../support/databases/database.ts'
import { testFolder } from '../../support/test-context/folder.ts'

test('with SQLite the first start creates a key that only the owner may read, and later starts keep it', async (t) => {
  const dataDir = await testFolder(t)
  const config = loadConfig({ env: { LISTD_DATA_DIR: dataDir } })
  const path = (await masterKeyFile(config)) ?? ''
  t.is(path, join(dataDir, 'master-key'))
  t.is((await stat(path)).mode & 0o777, 0o600)
  const key = await readFile(path, 'utf8')
  t.notThrows(() => openSealer(key))
  t.is(await masterKeyFile(config), path)
  t.is(await readFile(path, 'utf8'), key)
  t.is(loadConfig({ env: { LISTD_SECRETS_MASTER_KEY_FILE: path } }).secrets.masterKey, key.trim())
})

test('a file with other content is reported with its path, and stays unchanged', async (t) => {
  const dataDir = await testFolder(t)
  const config = loadConfig({ env: { LISTD_DATA_DIR: dataDir } })
  const path = join(dataDir, 'master-key')
  for (const text of ['', 'CANARY\n', `${'A'.repeat(43)}\nCANARY`, 'A'.repeat(44), `${'A'.repeat(43)}\n`.repeat(9)]) {
    await writeFile(path, text)
    for (const read of [masterKeyFile, readMasterKey]) {
      const { message } = (await t.throwsAsync(read(config))) ?? {}
      t.true(message?.startsWith(`${path} does not contain a master key (`))
      t.false(message?.includes('CANARY'))
    }
    t.is(await readFile(path, 'utf8'), text)
  }
})

test('for a database that was sealed with a key no other key is created, and the missing one is named', async (t) => {
  const dataDir = await testFolder(t)
  const config = loadConfig({ env: { LISTD_DATA_DIR: dataDir } })
  const db = await openDatabase({ url: '', dataDir, readers: 1 })
  t.teardown(db.close)
  await migrate(db)
  const sealer = openSealer('A'.repeat(43))
  await putSetting(db, 'secretsCheck', sealer.createCheck())
  const expected = new RegExp(
    `^the master key ${sealer.keyIds()[0]}, which seals .*, is missing: .* as ${dataDir}/master-key, or set LISTD_SECRETS`,
  )
  await t.throwsAsync(masterKeyFile(config), { message: expected })
  t.false(existsSync(join(dataDir, 'master-key')))
})

test('a configured key is used and none is created', async (t) => {
  const dataDir = await testFolder(t)
  const env = { LISTD_DATA_DIR: dataDir, LISTD_SECRETS_MASTER_KEY: 'A'.repeat(43) }
  t.is(await masterKeyFile(loadConfig({ env })), null)
  await t.throwsAsync(stat(join(dataDir, 'master-key')), { code: 'ENOENT' })
})

test('with a database server a missing key is rejected with how to create one, with a SQLite file it is created', async (t) => {
  const env = { LISTD_DATA_DIR: await testFolder(t), LISTD_DATABASE_URL: 'postgres://db/listd' }
  const expected =
    /^secrets\.masterKey is not set: set LISTD_SECRETS_MASTER_KEY to the master key of this .*openssl rand/
  const rejected = await t.throwsAsync(masterKeyFile(loadConfig({ env })), { message: expected })
  const { db } = await testDatabase(t)
  const ofService = await t.throwsAsync(openServiceKeys(db, '', String), { message: rejected?.message ?? '' })
  for (const error of [rejected, ofService]) t.is(startExitCode(error), startExitCodes.configuration)
  const file = { ...env, LISTD_DATABASE_URL: 'sqlite:/srv/listd.db' }
  t.is(await masterKeyFile(loadConfig({ env: file })), join(env.LISTD_DATA_DIR, 'master-key'))
})
