import { collectGarbage, inspectable } from '../../../test/support/load/memory.ts'
import type { Pace } from '../../support/loads/pace.ts'
import { memoryOf } from '../../support/measures/memory.ts'
import { figure, rounded } from '../../support/measures/report.ts'
import { type BenchAccount, makeAccount } from '../../support/worlds/account.ts'
import { type Listd, pidOf, startListd } from '../../support/worlds/listd.ts'
import { openStreams } from '../../support/worlds/streams.ts'
import { costOfCreates } from './creates.ts'
import { betweenGateways } from './two-gateways.ts'

const idleStreams = 2_000

/**
 * The cost of a create in a list with streams, compared with one in a list without realtime, and the time and CPU time of a frame, on
 * one gateway; the time from a create to its frame between two gateways at 200 events a second; and the memory of an idle stream.
 */
export async function realtime(pace: Pace): Promise<void> {
  await using listd = await startListd({ LISTD_REALTIME_PER_ADDRESS: String(idleStreams), ...inspectable })
  const account = await makeAccount(listd)
  await costOfCreates({ listd, account }, pace)
  await betweenGateways({ listd, account }, pace)
  await memoryOfIdle(listd, account)
}

/**
 * Garbage is collected before and after, so that it does not matter what the gateway has served before: V8 releases the space that it
 * reserves for new objects. The rest is objects, buffers, and the memory of Node.js and the C library for a connection.
 */
async function memoryOfIdle(listd: Listd, { token }: BenchAccount): Promise<void> {
  const pid = pidOf(listd, 'gateway')
  const measure = async () => {
    const held = await collectGarbage({ pid, output: listd.output })
    return { held, own: memoryOf(pid).privateMb }
  }
  const before = await measure()
  const readers = await openStreams(listd.address, { token, count: idleStreams })
  const after = await measure()
  const each = (of: 'held' | 'own') => rounded(((after[of] - before[of]) * 1_024) / idleStreams, 1)
  figure(
    `${idleStreams} idle streams`,
    `${each('own')} KiB each of private memory, of which objects and buffers ${each('held')}; target <= 20`,
  )
  for (const { close } of readers) close()
}
