import { join } from 'node:path'
import test, { type ExecutionContext } from 'ava'
import { createNatsPassword } from '#services/supervisor/nats/nats-files.ts'
import { launchNatsServer } from '#services/supervisor/nats/nats-server.ts'
import { findNatsServer } from '#services/supervisor/processes/find-program.ts'
import { type RestartingProcess, restartOnExit } from '#services/supervisor/processes/restart-on-exit.ts'
import { loadConfig } from '#shared/config/load.ts'
import { until } from '../../support/assertions/until.ts'
import { natsGuardsOf, natsServersOf, processesWith } from '../../support/nats/nats-processes.ts'
import { endAll, killNow } from '../../support/processes/listd.ts'
import { testProcess } from '../../support/processes/process.ts'
import { testFolder } from '../../support/test-context/folder.ts'
import { testLog } from '../../support/test-context/test-log.ts'

type Victim = 'guard' | 'nats-server' | 'supervisor'
type Pids = Partial<Record<Victim, number | undefined>>

const holder = join(import.meta.dirname, '../../support/programs/nats-holder.ts')

/** Keeps the nats-server of a data directory alive as the supervisor does; this process is the supervisor. */
async function keep(
  t: ExecutionContext,
  dataDir: string,
): Promise<{ kept: RestartingProcess; lines: readonly string[] }> {
  const { log, lines } = testLog(t, 'supervisor')
  const program = await findNatsServer(loadConfig({ env: {} }))
  const launch = (signal: AbortSignal) =>
    launchNatsServer({ program, dataDir, password: createNatsPassword(), log }, signal)
  const kept = await restartOnExit({ name: 'nats-server', log, launch })
  t.teardown(() => kept.stop(0))
  return { kept, lines }
}

/** The pids of the only guard and the only nats-server of a data directory. */
async function pair(dataDir: string): Promise<Pids> {
  let found: number[][] = []
  await until(() => {
    found = [natsGuardsOf(dataDir), natsServersOf(dataDir)]
    return found.every((pids) => pids.length === 1) || found
  })
  const [[guard] = [], [server] = []] = found
  return { guard, 'nats-server': server }
}

/** Kills the processes in this order, before any process notices that the first one has ended. */
function killInOrder(pids: Pids, victims: readonly Victim[]): void {
  for (const victim of victims) {
    const pid = pids[victim]
    if (pid) killNow(pid)
  }
}

function nothingIsLeft(dataDir: string): Promise<void> {
  return until(() => processesWith(dataDir).length === 0 || processesWith(dataDir), {
    what: 'the end of all processes',
  })
}

const ofTheTwo: Victim[][] = [['guard'], ['nats-server'], ['guard', 'nats-server'], ['nats-server', 'guard']]

for (const victims of ofTheTwo) {
  test(`${victims.join(', then ')} killed: the supervisor detects it and restarts both, which end with it`, async (t) => {
    const dataDir = await testFolder(t)
    const { kept, lines } = await keep(t, dataDir)
    const before = await pair(dataDir)
    killInOrder(before, victims)
    await until(() => lines.some((line) => line.includes('process.restarted')) || lines)
    const after = await pair(dataDir)
    t.not(after.guard, before.guard)
    t.not(after['nats-server'], before['nats-server'])
    t.true(lines.some((line) => line.includes('process.exited')))
    await kept.stop(5_000)
    await nothingIsLeft(dataDir)
  })

  test(`${victims.join(', then ')} killed, and then a stop: it ends, and nothing is left`, async (t) => {
    const dataDir = await testFolder(t)
    const { kept } = await keep(t, dataDir)
    killInOrder(await pair(dataDir), victims)
    await kept.stop(5_000)
    await nothingIsLeft(dataDir)
    t.pass()
  })
}

test('a frozen guard does not prevent the restart of a dead nats-server', async (t) => {
  const dataDir = await testFolder(t)
  const { lines } = await keep(t, dataDir)
  const before = await pair(dataDir)
  process.kill(before.guard ?? t.fail(), 'SIGSTOP')
  killInOrder(before, ['nats-server'])
  await until(() => lines.some((line) => line.includes('process.restarted')) || lines)
  t.not((await pair(dataDir)).guard, before.guard)
})

test('the log says that the guard was killed', async (t) => {
  const dataDir = await testFolder(t)
  const { lines } = await keep(t, dataDir)
  killInOrder(await pair(dataDir), ['guard'])
  await until(() => lines.some((line) => line.includes('nats_server.guard_lost')) || lines)
  t.pass()
})

test('a stop does not log the guard, and kills nothing', async (t) => {
  const dataDir = await testFolder(t)
  const { kept, lines } = await keep(t, dataDir)
  await kept.stop(60_000)
  t.deepEqual(lines, [])
})

const withSupervisor: Victim[][] = [
  ['guard', 'supervisor'],
  ['supervisor', 'guard'],
  ['nats-server', 'supervisor'],
  ['supervisor', 'nats-server'],
  ['guard', 'nats-server', 'supervisor'],
  ['nats-server', 'guard', 'supervisor'],
]

/** A supervisor in its own, stopped process, so that it cannot end the processes that must survive it. */
async function frozenSupervisor(t: ExecutionContext, dataDir: string): Promise<Pids> {
  const { child, pid, printed } = testProcess(t, [process.execPath, holder, dataDir])
  await printed(/ready/)
  child.kill('SIGSTOP')
  t.teardown(() => endAll(dataDir))
  return { ...(await pair(dataDir)), supervisor: pid }
}

for (const victims of withSupervisor) {
  test(`${victims.join(', then ')} killed: the next start works, and nothing is left when it ends`, async (t) => {
    const dataDir = await testFolder(t)
    const before = await frozenSupervisor(t, dataDir)
    killInOrder(before, victims)
    const { kept } = await keep(t, dataDir)
    t.not((await pair(dataDir))['nats-server'], before['nats-server'])
    await kept.stop(5_000)
    await nothingIsLeft(dataDir)
  })
}

test('a frozen nats-server that outlives guard and supervisor is killed by the next start', async (t) => {
  const dataDir = await testFolder(t)
  const before = await frozenSupervisor(t, dataDir)
  process.kill(before['nats-server'] ?? t.fail(), 'SIGSTOP')
  killInOrder(before, ['guard', 'supervisor'])
  await keep(t, dataDir)
  t.not((await pair(dataDir))['nats-server'], before['nats-server'])
})
