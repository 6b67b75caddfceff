import { spawn } from 'node:child_process'
import test, { type ExecutionContext } from 'ava'
import { type BackOff, createBackOff } from '#services/supervisor/processes/back-off.ts'
import { type RestartingProcess, type Run, restartOnExit } from '#services/supervisor/processes/restart-on-exit.ts'
import { signalGroup, terminate, waitForExit } from '#services/supervisor/processes/terminate.ts'
import { createLogger, type Logger } from '#shared/log/logger.ts'
import { until } from '../../support/assertions/until.ts'
import { testLog } from '../../support/test-context/test-log.ts'

const log = createLogger({ service: 'test', level: 'silent' })

type Options = { fails?: (launch: number) => boolean; backOff?: BackOff }

/** Keeps a `sleep` alive; `fails` returns whether a launch (counted from 0) fails. */
async function keep(t: ExecutionContext, { fails = () => false, backOff = createBackOff() }: Options = {}) {
  const pids: number[] = []
  let launches = 0
  async function launch(): Promise<Run> {
    if (fails(launches++)) throw new Error('not today')
    const child = spawn('sleep', ['600'], { stdio: 'ignore' })
    pids.push(child.pid ?? 0)
    const ended = waitForExit(child)
    const kill = () => child.kill('SIGKILL')
    return { ended, stop: (withinMs) => terminate(ended, { withinMs, ask: () => child.kill('SIGTERM'), kill }) }
  }
  const kept: RestartingProcess = await restartOnExit({ name: 'sleep', log, launch, backOff })
  t.teardown(() => kept.stop(0))
  return { kept, pids, launches: () => launches }
}

test('a process that ends on its own is restarted, every time', async (t) => {
  const { pids } = await keep(t)
  for (const n of [1, 2, 3]) {
    process.kill(pids[n - 1] ?? 0, 'SIGKILL')
    await until(async () => pids.length === n + 1, { what: `start ${n + 1}` })
  }
  t.is(new Set(pids).size, 4)
})

test('a stopped process is not restarted', async (t) => {
  const { kept, pids, launches } = await keep(t)
  await kept.stop(5_000)
  t.throws(() => process.kill(pids[0] ?? 0, 0))
  t.is(launches(), 1)
})

test('a failed restart is tried again', async (t) => {
  const { pids, launches } = await keep(t, { fails: (n) => n === 1 || n === 2 })
  process.kill(pids[0] ?? 0, 'SIGKILL')
  await until(async () => pids.length === 2, { what: 'the start after two failures' })
  t.is(launches(), 4)
})

test('a process that cannot start at all is not restarted', async (t) => {
  await t.throwsAsync(keep(t, { fails: () => true }), { message: 'not today' })
})

/** A program and its child, which keeps the pipes open after the program has ended, so that the end is never seen. */
async function keepUnseen(t: ExecutionContext, options: { log: Logger }): Promise<RestartingProcess> {
  const child = spawn('/bin/sh', ['-c', 'sleep 600 & exec sleep 600'], { detached: true })
  t.teardown(() => signalGroup(child.pid, 'SIGKILL'))
  const ended = waitForExit(child)
  const kill = () => child.kill('SIGKILL')
  const ways = { killedWithinMs: 10, ask: () => child.kill('SIGTERM'), kill }
  const launch = async () => ({ ended, stop: (withinMs: number) => terminate(ended, { ...ways, withinMs }) })
  return await restartOnExit({ name: 'sleep', launch, ...options })
}

test('a process that does not end even when it is killed is left alone, and the log says so', async (t) => {
  const { log, lines } = testLog(t, 'supervisor')
  const kept = await keepUnseen(t, { log })
  await kept.stop(10)
  t.is(lines.length, 1)
  t.regex(lines[0] ?? '', /"event":"process.stuck","process":"sleep"/)
})

test('a process that could not start counts as ended, with the reason', async (t) => {
  t.regex(await waitForExit(spawn('/nowhere/sleep')), /ENOENT/)
})

/** A back-off that is longer than any test. */
function backOffOfAnHour() {
  const asked = Promise.withResolvers<void>()
  const next = () => {
    asked.resolve()
    return 3_600_000
  }
  return { next, asked: asked.promise }
}

test('stopping during the wait for a restart ends the wait', async (t) => {
  const backOff = backOffOfAnHour()
  const { kept, pids, launches } = await keep(t, { backOff })
  process.kill(pids[0] ?? 0, 'SIGKILL')
  await backOff.asked
  await kept.stop(5_000)
  t.is(launches(), 1)
})

test('a requested restart ends a run and starts the next without a wait', async (t) => {
  const { kept, pids } = await keep(t, { backOff: backOffOfAnHour() })
  await kept.restart(5_000)
  await until(async () => pids.length === 2, { what: 'the next run' })
  t.throws(() => process.kill(pids[0] ?? 0, 0))
})
