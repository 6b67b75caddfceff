import { execFile } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { cp, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import test from 'ava'
import { feedSystemdWatchdog, notifySystemdReady, watchdogMs } from '#services/supervisor/processes/systemd.ts'
import { stopMs } from '#services/supervisor/supervisor.ts'
import { entries } from '#shared/config/entries.ts'
import { envName, fileEnvName } from '#shared/config/sources/env-name.ts'
import { startExitCodes } from '#shared/lifecycle/start-error.ts'
import { closeMs, drainMs } from '#shared/lifecycle/stop-times.ts'
import { hasSystemd, listenAsSystemd } from '../../../support/processes/systemd.ts'
import { testFolder } from '../../../support/test-context/folder.ts'

const run = promisify(execFile)
const root = join(import.meta.dirname, '../../../..')
const units = join(root, 'deploy/systemd')
const text = (path: string) => readFileSync(join(root, path), 'utf8')

/** The values of a setting of a unit, in order. */
function valuesOf(unit: string, name: string): string[] {
  const lines = text(`deploy/systemd/${unit}`).matchAll(/^(\w+)=(.*)$/gm)
  return [...lines].filter(([, key]) => key === name).map(([, , value = '']) => value)
}

test('the unit gives listd the time that its drain may take, and signals only the supervisor', (t) => {
  t.true(closeMs > drainMs)
  t.true(stopMs > closeMs)
  t.true(Number(valuesOf('listd.service', 'TimeoutStopSec')[0]) * 1_000 > stopMs + 5_000)
  t.deepEqual(valuesOf('listd.service', 'KillMode'), ['mixed'])
})

test('the unit retries unless an operator has to change something first', (t) => {
  for (const unit of ['listd.service', 'listd@.service']) {
    t.deepEqual(valuesOf(unit, 'Restart'), ['on-failure'])
    t.deepEqual(valuesOf(unit, 'RestartPreventExitStatus'), [String(startExitCodes.configuration)])
  }
})

test('the unit of one service has time to drain, and allows no more than the unit of all services', (t) => {
  t.true(Number(valuesOf('listd@.service', 'TimeoutStopSec')[0]) * 1_000 > closeMs + 5_000)
  const hardening = (unit: string) => /^ProtectSystem=[\s\S]*/m.exec(text(`deploy/systemd/${unit}`))?.[0]
  t.truthy(hardening('listd.service'))
  t.is(hardening('listd@.service'), hardening('listd.service'))
})

test('systemd is notified twice within its time limit, and only if it waits for it', (t) => {
  const NOTIFY_SOCKET = '/run/systemd/notify'
  t.is(watchdogMs({ NOTIFY_SOCKET, WATCHDOG_USEC: '60000000' }), 30_000)
  t.is(watchdogMs({ NOTIFY_SOCKET }), null)
  t.is(watchdogMs({ NOTIFY_SOCKET, WATCHDOG_USEC: '0' }), null)
  t.is(watchdogMs({ WATCHDOG_USEC: '60000000' }), null)
  for (const unit of ['listd.service', 'listd@.service']) {
    t.is(valuesOf(unit, 'WatchdogSec').length, 1)
    t.deepEqual(valuesOf(unit, 'WatchdogSignal'), ['SIGKILL'])
    t.deepEqual(valuesOf(unit, 'Type'), ['notify'])
    t.deepEqual(valuesOf(unit, 'NotifyAccess'), ['all'])
  }
})

test('the unit starts the program at the path of the image and docs/operating.md', (t) => {
  const [program = '', ...args] = valuesOf('listd.service', 'ExecStart')[0]?.split(' ') ?? []
  t.deepEqual(args, ['start'])
  t.true(text('deploy/Dockerfile').includes(`ENTRYPOINT ["${program}"]`))
  t.true(text('docs/operating.md').includes(program))
})

test('every variable of the units is a setting, and every secret file is a credential that systemd reads', (t) => {
  const known = entries.flatMap(({ key }) => [envName(key), fileEnvName(key)])
  for (const unit of ['listd.service', 'listd@.service', 'database.conf', 'master-key.conf']) {
    const credentials = valuesOf(unit, 'LoadCredential').map((value) => `%d/${value.split(':')[0]}`)
    const variables = valuesOf(unit, 'Environment').map((value) => value.split('='))
    for (const [variable = '', value = ''] of variables) {
      t.true(known.includes(variable), variable)
      if (variable.endsWith('_FILE')) t.true(credentials.includes(value), value)
    }
    t.is(credentials.length, variables.filter(([variable]) => variable?.endsWith('_FILE')).length)
  }
})

test('systemd reports no errors in the units, and little exposure', async (t) => {
  if (!hasSystemd) {
    t.log('left out: systemd is not installed')
    t.pass()
    return
  }
  const folder = await testFolder(t)
  await cp(units, folder, { recursive: true })
  await cp(join(folder, 'listd@.service'), join(folder, 'listd@gateway.service'))
  for (const name of ['listd.service', 'listd@gateway.service']) {
    const unit = join(folder, name)
    // The program is not installed on the machine of the test.
    const installed = (await readFile(unit, 'utf8')).replace('/usr/local/bin/listd', join(root, 'scripts/listd'))
    await writeFile(unit, installed)
    const { stdout, stderr } = await run('systemd-analyze', ['verify', '--recursive-errors=no', unit])
    t.is(stdout + stderr, '')
    await t.notThrowsAsync(run('systemd-analyze', ['security', '--offline=true', '--threshold=20', '--no-pager', unit]))
  }
})

test('listd notifies systemd that it is ready and lives, and does nothing if systemd does not wait for it', async (t) => {
  if (!hasSystemd) {
    t.log('left out: systemd is not installed')
    t.pass()
    return
  }
  const { socket, systemd } = await listenAsSystemd(t)
  await notifySystemdReady({ PATH: process.env.PATH })
  await notifySystemdReady({ PATH: process.env.PATH, NOTIFY_SOCKET: socket })
  await systemd.printed(/READY=1/)
  t.is(systemd.stdout().match(/READY=1/g)?.length, 1)
  t.teardown(feedSystemdWatchdog({ PATH: process.env.PATH, NOTIFY_SOCKET: socket, WATCHDOG_USEC: '20000' }))
  await systemd.printed(/WATCHDOG=1/)
})
