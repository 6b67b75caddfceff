import { join } from 'node:path'
import test, { type ExecutionContext } from 'ava'
import {
  launchService,
  runCommand,
  type ServiceCommand,
  type ServiceRun,
} from '#services/supervisor/processes/child.ts'
import { type Heartbeat, minuteOfSilence } from '#services/supervisor/processes/heartbeat.ts'

const fixture = join(import.meta.dirname, '../../support/programs/service.ts')

const command = (behavior: string): ServiceCommand => ({
  name: 'sample',
  command: [process.execPath, fixture, behavior],
  // The log of the fixture would mix with the report of the tests.
  env: { ...process.env, LISTD_LOG_LEVEL: 'silent' },
})

async function launch(
  t: ExecutionContext,
  behavior: string,
  options: { signal?: AbortSignal; onHung?(silentMs: number): void; heartbeat?: Heartbeat } = {},
): Promise<ServiceRun> {
  const { signal = new AbortController().signal, onHung = () => {}, heartbeat = minuteOfSilence } = options
  const replaces = ['dead-1', 'dead-2']
  const run = await launchService(command(behavior), { instance: 'sample-1', replaces, signal, onHung, heartbeat })
  t.teardown(() => run.stop(0))
  return run
}

test('a service is launched when it reports that it is ready, with its address', async (t) => {
  const run = await launch(t, 'well')
  t.is(run.address, 'http://127.0.0.1:1')
  t.is(run.instance, 'sample-1')
  await run.stop(5_000)
  t.is(await run.ended, 'code 0')
})

test('a service that cannot start fails with its own message', async (t) => {
  await t.throwsAsync(launch(t, 'cannot start'), { message: 'sample cannot start: the moon is not full.' })
})

test('a service that ends before it is ready fails with how it ended', async (t) => {
  await t.throwsAsync(launch(t, 'dies silently'), { message: /^sample ended while it started \(code 7\)/ })
})

test('a program that is missing is an error', async (t) => {
  const missing: ServiceCommand = { ...command('well'), command: ['/nowhere/node'] }
  const options = { instance: 'a', replaces: [], signal: new AbortController().signal, onHung() {} }
  await t.throwsAsync(launchService(missing, options), { message: /ENOENT/ })
})

test('a service that does not end in time is killed', async (t) => {
  const run = await launch(t, 'never closes')
  await run.stop(200)
  t.is(await run.ended, 'signal SIGKILL')
})

test('a service that no longer answers is killed, and this is reported once', async (t) => {
  const reported: number[] = []
  const heartbeat = { everyMs: 20, maxUnanswered: 3 }
  const run = await launch(t, 'blocks when asked', { heartbeat, onHung: (silentMs) => reported.push(silentMs) })
  t.is(await run.ended, 'signal SIGKILL')
  t.deepEqual(reported, [60])
})

test('an aborted start kills the process', async (t) => {
  const giveUp = new AbortController()
  const launched = launch(t, 'hangs on start', { signal: giveUp.signal })
  setTimeout(() => giveUp.abort(), 100)
  await t.throwsAsync(launched, { message: /signal SIGKILL/ })
})

test('a failed command is reported with its own message', async (t) => {
  await t.throwsAsync(runCommand(command('cannot start')), { message: 'sample cannot start: the moon is not full.' })
})
