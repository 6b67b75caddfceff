import { once } from 'node:events'
import { rm, writeFile } from 'node:fs/promises'
import { type AddressInfo, createServer } from 'node:net'
import { join } from 'node:path'
import test, { type ExecutionContext } from 'ava'
import { openDatabase } from '#shared/data/database.ts'
import { migrate } from '#shared/data/migrate.ts'
import { putSetting } from '#shared/data/settings.ts'
import { testFolder } from '../support/folder.ts'
import { testProcess } from '../support/process.ts'
import { processesOn } from '../support/processes.ts'
import { until } from '../support/until.ts'

const main = join(import.meta.dirname, '../../services/supervisor/main.ts')

/** Starts listd where it cannot start. @returns what it said */
async function refusal(t: ExecutionContext, dataDir: string, env: Record<string, string>): Promise<string> {
  const start = testProcess(t, [process.execPath, main, 'start'], {
    env: { ...process.env, LISTD_GATEWAY_PORT: '0', ...env, LISTD_DATA_DIR: dataDir },
  })
  t.deepEqual(await start.ended, { code: 1, signal: null })
  t.notRegex(start.stdout(), /listd is ready/)
  t.notRegex(start.stderr() + start.stdout(), /^ +at |node:internal/m)
  await until(async () => processesOn(dataDir).length === 0, { withinMs: 2_500, what: 'all gone' })
  return start.stderr()
}

test.serial('without nats-server one line says how to install it', async (t) => {
  const text = await refusal(t, await testFolder(t), { LISTD_NATS_SERVER_PATH: '/nowhere/nats-server' })
  t.is(text, 'listd: nats.serverPath names no program that can be run: /nowhere/nats-server\n')
})

test.serial('a port that is taken is named with the key that chooses another', async (t) => {
  const other = createServer().listen(0, '127.0.0.1')
  await once(other, 'listening')
  t.teardown(() => other.close())
  const { port } = other.address() as AddressInfo
  const text = await refusal(t, await testFolder(t), { LISTD_GATEWAY_PORT: String(port) })
  t.is(
    text,
    `listd: port ${port} on 127.0.0.1 is taken by another program. Stop it, or choose another with LISTD_GATEWAY_PORT.\n`,
  )
})

test.serial('a wrong configuration stops the start with every fault, before anything is made', async (t) => {
  const dataDir = join(await testFolder(t), 'data')
  const text = await refusal(t, dataDir, { LISTD_PASSWORDS_MEMORY_MIB: '18', LISTD_GATEWY_PORT: '1' })
  t.regex(text, /passwords\.memoryMib: 18 \(from LISTD_PASSWORDS_MEMORY_MIB\) must be a whole number from 19/)
  t.regex(
    text,
    /LISTD_GATEWY_PORT: "1" \(from the environment\) is no known variable; did you mean LISTD_GATEWAY_PORT\?/,
  )
  await t.throwsAsync(writeFile(join(dataDir, 'x'), ''), { code: 'ENOENT' })
})

test.serial('another master key than the one that sealed the secrets is refused with what to do', async (t) => {
  const dataDir = await testFolder(t)
  const env = { ...process.env, LISTD_GATEWAY_PORT: '0', LISTD_DATA_DIR: dataDir }
  const first = testProcess(t, [process.execPath, main, 'start'], { env })
  await first.printed(/try it/)
  first.child.kill('SIGTERM')
  await first.ended
  const told = /secrets\.masterKey is not the key this database was set up with.*Give the original key/
  t.regex(await refusal(t, dataDir, { LISTD_SECRETS_MASTER_KEY: 'A'.repeat(43) }), told)
  await rm(join(dataDir, 'master-key'))
  t.regex(await refusal(t, dataDir, {}), told)
})

test.serial('a database that only a newer listd can use is refused with what to do', async (t) => {
  const dataDir = await testFolder(t)
  const db = await openDatabase({ url: '', dataDir })
  await migrate(db)
  await putSetting(db, 'compatibleFrom', '99')
  await db.close()
  const text = await refusal(t, dataDir, {})
  t.regex(text, /migrated by a newer listd.*99.*Start the newer listd, or restore a backup/)
  t.is(text.trimEnd().split('\n').length, 1)
})

test.serial('a data directory that cannot be used is refused', async (t) => {
  const file = join(await testFolder(t), 'file')
  await writeFile(file, '')
  t.regex(await refusal(t, join(file, 'data'), {}), /^listd: .*file/)
})
