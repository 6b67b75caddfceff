import { sum } from '../../test/support/load/statistics.ts'
import { sleep } from '../support/clock.ts'
import type { LoadResult } from '../support/loads/closed-loop.ts'
import type { Pace } from '../support/loads/pace.ts'
import { requestText } from '../support/loads/raw-connection.ts'
import { aloneMb, memoryOf } from '../support/measures/memory.ts'
import { createMemoryGroup } from '../support/measures/memory-group.ts'
import { figure, print, rounded } from '../support/measures/report.ts'
import { startProgram } from '../support/programs/program.ts'
import { makeAccount } from '../support/worlds/account.ts'
import { type Listd, startListd } from '../support/worlds/listd.ts'

const mib = 1024 * 1024
const writers = 24
const itemBytes = 1_000_000
const logins = 4
const password = 'correct horse battery staple'
const sampleMs = 250
/** Wait after a start, in which memory that only the start needs is freed. */
const settledMs = 20_000
/** The limits to try, in MiB. */
const limits = [768, 640, 512, 448, 384, 320, 256, 224, 192, 160, 128]

type Work = { name: string; run(listd: Listd): Promise<void> }

/** The memory of each process, and the least in which all of them run: at rest, and under large writes with logins at the same time. */
export async function memory({ share }: Pace): Promise<void> {
  const works: Work[] = [
    { name: 'idle', run: () => sleep(5_000 * share) },
    { name: `${writers} writers of 1 MB, ${logins} logins`, run: (listd) => writeDuringLogins(listd, 20 * share) },
  ]
  for (const work of works) {
    await reportUse(work, settledMs * share)
    await reportLeast(work)
  }
}

async function writeDuringLogins(listd: Listd, seconds: number): Promise<void> {
  const account = await makeAccount(listd)
  await account.makeLists(['large'], {})
  const names = Array.from({ length: logins }, (_, n) => `bench-${n}`)
  for (const name of names) await account.registerIdentity({ name, password })
  const headers = { 'x-api-token': account.token }
  const item = `{"data":{"mark":"########","text":"${'x'.repeat(itemBytes)}"}}`
  const write = requestText({ path: '/lists/large/items', headers, body: item })
  const signIns = names.map((name) =>
    requestText({ path: '/identities/login', headers, body: JSON.stringify({ name, password }) }),
  )
  const load = { origin: listd.address, seconds, anyAnswer: true }
  await using writing = await startProgram<null>('load.ts', null)
  await using signingIn = await startProgram<null>('load.ts', null)
  await Promise.all([
    writing.ask<LoadResult>({ ...load, requests: [write], connections: writers }),
    signingIn.ask<LoadResult>({ ...load, requests: signIns, connections: logins }),
  ])
}

/** PSS, at its highest after the start: of each process, and of all at one moment. */
async function reportUse({ name, run }: Work, afterMs: number): Promise<void> {
  await using listd = await startListd()
  await sleep(afterMs)
  const highest = new Map<string, number>()
  let together = 0
  const look = () => {
    const used = listd.processes().map((process) => ({ name: process.name, memory: memoryOf(process.pid) }))
    for (const process of used) {
      highest.set(process.name, Math.max(highest.get(process.name) ?? 0, process.memory.proportionalMb))
    }
    together = Math.max(together, aloneMb(used.map((process) => process.memory)))
  }
  const looking = setInterval(look, sampleMs)
  await run(listd).finally(() => clearInterval(looking))
  look()
  const parts = [...highest].filter(([, mb]) => mb >= 1).map(([process, mb]) => `${process} ${rounded(mb)}`)
  figure(name, `${rounded(together)} MB at most; ${parts.join(', ')}, ${rounded(sum([...highest.values()]))} in all`)
}

/** The least of the limits below which the kernel kills a process. */
async function reportLeast(work: Work): Promise<void> {
  let held: number | null = null
  for (const limit of limits) {
    const kills = await killsWithin(limit, work)
    if (kills === null) return print('  no limit was tried: this user may make no control groups')
    if (kills > 0)
      return figure('  least that holds', `${held} MiB; at ${limit} MiB the kernel killed ${kills} processes`)
    held = limit
  }
  figure('  least that holds', `${held} MiB, the least that was tried`)
}

/** @returns how many processes the kernel killed, or null where no limit can be set */
async function killsWithin(limit: number, { run }: Work): Promise<number | null> {
  await using group = createMemoryGroup(limit * mib)
  if (group === null) return null
  const killed = () => group.kills() > 0
  try {
    await using listd = await startListd({}, { processesFile: group.processesFile, isLost: killed })
    await run(listd)
  } catch (error) {
    if (!killed()) throw error
  }
  return group.kills()
}
