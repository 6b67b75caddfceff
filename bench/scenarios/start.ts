import { ratios, sum } from '../../test/support/load/statistics.ts'
import { monotonicMs, sleep } from '../support/clock.ts'
import { alternate, type Pace } from '../support/loads/pace.ts'
import { aloneMb, memoryOf } from '../support/measures/memory.ts'
import { figure, rounded, spread } from '../support/measures/report.ts'
import { startProgram } from '../support/programs/program.ts'
import { startListd } from '../support/worlds/listd.ts'

/** Node.js caches compiled code between starts; the first start after an installation has no such cache. */
const firstStart = { NODE_DISABLE_COMPILE_CACHE: '1' }

/** The time from `make start` to the banner on a new data directory, and the memory of all processes when idle. */
export async function start({ rounds, share }: Pace): Promise<void> {
  await timeOfListd({}) // fills the compile cache
  const cached = await alternate(rounds + 2, { subject: () => timeOfListd({}), yardstick: timeOfBareHapi })
  const first = await alternate(rounds, { subject: () => timeOfListd(firstStart), yardstick: timeOfBareHapi })
  reportTimes('make start to banner', cached)
  reportTimes('  with nothing compiled yet', first)
  await memory('idle, PSS of all processes', { env: {}, idleMs: 5_000 * share })
  await memory('  with nothing compiled before', { env: firstStart, idleMs: 5_000 * share })
}

async function timeOfListd(env: Record<string, string>): Promise<number> {
  await using listd = await startListd(env)
  return listd.tookMs
}

async function timeOfBareHapi(): Promise<number> {
  const startedAt = monotonicMs()
  await using _ = await startProgram('bare-hapi.ts', {})
  return monotonicMs() - startedAt
}

function reportTimes(name: string, { subject, yardstick }: { subject: number[]; yardstick: number[] }): void {
  figure(name, `${spread(subject)} ms; target <= 1,500`)
  figure('  until bare hapi listens', `${spread(yardstick)} ms, ratio ${spread(ratios(subject, yardstick), 1)}`)
}

async function memory(name: string, { env, idleMs }: { env: Record<string, string>; idleMs: number }): Promise<void> {
  await using listd = await startListd(env)
  await using bare = await startProgram('bare-hapi.ts', {})
  await sleep(idleMs)
  const processes = listd.processes().map((process) => ({ name: process.name, memory: memoryOf(process.pid) }))
  const totalMb = aloneMb(processes.map((process) => process.memory))
  const bareMb = aloneMb([memoryOf(bare.pid)])
  const nowMb = sum(processes.map((process) => process.memory.proportionalMb))
  const parts = processes
    .map((process) => ({ name: process.name, mb: process.memory.proportionalMb }))
    .filter(({ mb }) => mb >= 1)
    .map((process) => `${process.name} ${rounded(process.mb)}`)
  figure(name, `${rounded(totalMb)} MB if nothing else ran Node.js; target <= 240`)
  figure('  bare hapi, likewise', `${rounded(bareMb)} MB, ratio ${rounded(totalMb / bareMb, 1)}`)
  figure('  now, next to bench and others', `${rounded(nowMb)} MB: ${parts.join(', ')}`)
}
