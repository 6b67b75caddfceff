import { existsSync } from 'node:fs'
import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import test from 'ava'
import { createMasterKey } from '#shared/crypto/seal.ts'
import { schemaStatus } from '#shared/data/migrate.ts'
import { putSetting } from '#shared/data/settings/settings.ts'
import {
  anotherConnection,
  databaseSettings,
  emptyDirectory,
  migratedDirectory,
  testDatabase,
} from '../../support/databases/database.ts'
import { freePort } from '../../support/processes/free-port.ts'
import { leaveMasterKey } from '../../support/processes/master-key.ts'
import { rejection } from '../../support/processes/rejection.ts'
import { takenPort } from '../../support/processes/taken-port.ts'

test.serial('without nats-server one line says how to install it', async (t) => {
  const text = await rejection(t, await emptyDirectory(t), {
    code: 78,
    env: { LISTD_NATS_SERVER_PATH: '/nowhere/nats-server' },
  })
  t.is(text, 'listd: nats.serverPath does not name an executable program: /nowhere/nats-server\n')
})

test.serial('a port in use is named with the key that chooses another', async (t) => {
  const port = await takenPort(t)
  const text = await rejection(t, await emptyDirectory(t), { code: 75, env: { LISTD_GATEWAY_PORT: String(port) } })
  t.is(
    text,
    `listd: port ${port} on 127.0.0.1 is in use by another program. Stop it, or choose another with --port or LISTD_GATEWAY_PORT.\n`,
  )
})

test.serial('two settings with the same port are named before anything is created', async (t) => {
  const dataDir = join(await emptyDirectory(t), 'data')
  const port = String(await freePort())
  const text = await rejection(t, dataDir, {
    code: 78,
    env: { LISTD_GATEWAY_PORT: port, LISTD_GATEWAY_OPS_PORT: port },
  })
  t.is(text, `listd: gateway.port and gateway.opsPort are both ${port}; set LISTD_GATEWAY_OPS_PORT to another port.\n`)
  t.false(existsSync(dataDir))
})

test.serial('an invalid configuration stops the start with every error, before anything is created', async (t) => {
  const existing = await emptyDirectory(t)
  const dataDir = join(existing, 'data')
  const wrong = { LISTD_PASSWORDS_MEMORY_MIB: '18', LISTD_GATEWY_PORT: '1' }
  const text = await rejection(t, dataDir, { code: 78, env: { ...databaseSettings(existing), ...wrong } })
  t.regex(text, /passwords\.memoryMib: 18 \(from LISTD_PASSWORDS_MEMORY_MIB\) must be a whole number from 19/)
  t.regex(
    text,
    /LISTD_GATEWY_PORT: "1" \(from the environment\) is not a known variable; did you mean LISTD_GATEWAY_PORT\?/,
  )
  t.false(existsSync(dataDir))
  t.like(await schemaStatus(await anotherConnection(t, existing)), { version: 0 })
})

test.serial('another master key than the one that sealed the secrets is rejected with what to do', async (t) => {
  const { db, dataDir } = await testDatabase(t)
  await leaveMasterKey(dataDir, db)
  const expected =
    /secrets\.masterKey does not have the key [0-9a-f]{8} that secrets in this database are sealed with.*Add it/
  t.regex(await rejection(t, dataDir, { code: 78, env: { LISTD_SECRETS_MASTER_KEY: 'A'.repeat(43) } }), expected)
})

test.serial('a folder in the place of the master key is named, and a retry cannot correct it', async (t) => {
  const dataDir = await emptyDirectory(t)
  const path = join(dataDir, 'master-key')
  await mkdir(path)
  const text = await rejection(t, dataDir, { code: 78 })
  t.regex(text, new RegExp(`^listd: .*${path} is a folder, and must be a file`))
})

test.serial('a database that only a newer listd can use is rejected with what to do', async (t) => {
  const dataDir = await migratedDirectory(t)
  await putSetting(await anotherConnection(t, dataDir), 'compatibleFrom', '99')
  const text = await rejection(t, dataDir, { code: 78 })
  t.regex(text, /migrated by a newer listd.*99.*Start the newer listd, or restore a backup/)
  t.is(text.trimEnd().split('\n').length, 1)
})

test.serial(
  'an unavailable database server is reported in one line with its address, without the password',
  async (t) => {
    const address = `127.0.0.1:${await freePort()}`
    const text = await rejection(t, await emptyDirectory(t), {
      code: 75,
      env: {
        LISTD_DATABASE_URL: `postgres://listd:geheim-12345@${address}/listd`,
        LISTD_SECRETS_MASTER_KEY: createMasterKey(),
      },
    })
    t.regex(text, new RegExp(`^listd: migrate cannot start: The database at ${address} cannot be used: .+\n$`))
    t.false(text.includes('geheim'))
  },
)

test.serial('an unusable data directory is rejected', async (t) => {
  const existing = await emptyDirectory(t)
  const file = join(existing, 'file')
  await writeFile(file, '')
  for (const dataDir of [file, join(file, 'data')]) {
    const text = await rejection(t, dataDir, {
      code: 78,
      env: { ...databaseSettings(existing), LISTD_DATA_DIR: dataDir },
    })
    t.regex(text, /^listd: the data directory cannot be used: .*\/file.* is a file.*\.\n$/)
  }
})
