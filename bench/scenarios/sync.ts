import { createApi } from '../../test/support/http/api.ts'
import { ratios } from '../../test/support/load/statistics.ts'
import { manyLists } from '../../test/support/sync/sync.ts'
import { makeAccount } from '../support/account.ts'
import { monotonicMs } from '../support/clock.ts'
import { startListd } from '../support/listd.ts'
import { alternate, type Pace } from '../support/pace.ts'
import { figure, spread } from '../support/report.ts'

const lists = 1_000
const indexes = 5

/**
 * A document of many lists sent again unchanged, compared with the first time; each round has new lists, so that the account
 * has more of them with every round. And a dry run of as many lists that do not exist, compared with the same.
 */
export async function sync({ rounds, share }: Pace): Promise<void> {
  await using listd = await startListd()
  const { token } = await makeAccount(listd)
  const api = createApi(() => listd.address, { 'x-api-token': token })
  const send = async (prefix: string, query = '') => {
    const begunAt = monotonicMs()
    const { status, text } = await api('POST', `/sync-schema${query}`, { body: document(prefix, lists * share) })
    if (status !== 200) throw new Error(text)
    return monotonicMs() - begunAt
  }
  await send('warm-up')
  let round = 0
  const first: number[] = []
  const { subject, yardstick } = await alternate(rounds, {
    async subject() {
      first.push(await send(`round-${++round}`))
      return send(`round-${round}`)
    },
    yardstick: () => send('absent', '?dryRun=true'),
  })
  figure(`${lists * share} lists, ${indexes} indexes each`, `${spread(first)} ms the first time`)
  figure('  unchanged, ratio', `${spread(ratios(subject, first), 3)} of the first time; target <= 0.25`)
  figure('  unchanged', `${spread(subject)} ms`)
  figure('  dry run of absent lists, ratio', `${spread(ratios(yardstick, first), 3)} of the first time`)
}

function document(prefix: string, count: number) {
  const entries = Object.values(manyLists(count, indexes, 'asc').lists)
  return { scope: prefix, lists: Object.fromEntries(entries.map((list, n) => [`${prefix}-${n}`, list])) }
}
