import { ratios } from '../../test/support/load/statistics.ts'
import type { Pace } from '../support/loads/pace.ts'
import { requestText } from '../support/loads/raw-connection.ts'
import {
  type Connections,
  describeCpu,
  describeRuns,
  type Run,
  reportRuns,
  runLoad,
  warmUp,
} from '../support/loads/runs.ts'
import { figure, spread } from '../support/measures/report.ts'
import type { ItemLoad, ItemRequests } from '../support/programs/item-load.ts'
import { startProgram } from '../support/programs/program.ts'
import { type BenchAccount, itemBody, makeAccount } from '../support/worlds/account.ts'
import { startListd } from '../support/worlds/listd.ts'

/** Some for each of the connections that warm up. */
const items = 256
const [connections, target] = [16, 0.5]

/** Gets an item, requires something of it, updates it and responds. */
const flow = {
  version: 1,
  name: 'mark',
  entry: { type: 'endpoint', path: 'mark', input: { type: 'object', required: ['item', 'mark'] } },
  nodes: [
    { id: 'thing', type: 'get-item', list: 'things', item: 'input.item', required: true },
    { id: 'ranked', type: 'require', when: 'steps.thing.data.rank > 0', message: 'It has no rank.' },
    { id: 'marked', type: 'update-item', list: 'things', item: 'steps.thing.id', merge: '{mark: input.mark}' },
    { id: 'answer', type: 'respond', body: 'steps.marked.data' },
  ],
  edges: [
    ['thing', 'ranked'],
    ['ranked', 'marked'],
    ['marked', 'answer'],
  ],
}

/**
 * Runs of a flow that read an item of 1 KB with two indexes and change it, compared with two ways without a flow to do the same:
 *
 * - PUTs with `if-match`, of clients that know the item and its tag from the previous answer;
 * - a GET and then such a PUT, of clients that do not: what a run replaces.
 *
 * Each proves with its commit that the item was not changed in between. Each connection changes its own items, so this never happens:
 * a conflict ends the bench.
 */
export async function flowRuns(pace: Pace): Promise<void> {
  await using started = new AsyncDisposableStack()
  const listd = started.use(await startListd())
  const client = started.use(await startProgram<null>('item-load.ts', null))
  const { runs, puts } = await makeRequests(await makeAccount(listd))
  const send = (what: Pick<ItemLoad, 'items' | 'readsFirst'>) => (load: Connections) =>
    runLoad(client, { origin: listd.address, ...what, ...load }, listd.processes())
  const ways = {
    runs: send({ items: runs }),
    puts: send({ items: puts }),
    pairs: send({ items: puts, readsFirst: true }),
  }
  for (const way of Object.values(ways)) await warmUp(way, pace)
  const load = { connections, seconds: 4 * pace.share }
  const done: Done = { runs: [], puts: [], pairs: [] }
  for (let round = 0; round < pace.rounds; round++) {
    done.runs.push(await ways.runs(load))
    done.puts.push(await ways.puts(load))
    done.pairs.push(await ways.pairs(load))
  }
  report(done)
}

type Done = Record<'runs' | 'puts' | 'pairs', Run[]>

function report({ runs, puts, pairs }: Done): void {
  reportRuns(
    { subject: runs, yardstick: puts },
    {
      title: `${connections} connections`,
      names: ['runs', 'PUTs with if-match'],
      of: `PUTs with if-match of the same item; target >= ${target}`,
    },
  )
  const perSecond = (all: readonly Run[]) => all.map((run) => run.perSecond)
  figure('  to a GET and such a PUT, ratio', `${spread(ratios(perSecond(runs), perSecond(pairs)), 3)} of both together`)
  figure('  a GET and such a PUT', describeRuns(pairs))
  figure('  CPU of both', describeCpu(pairs))
}

async function makeRequests(account: BenchAccount): Promise<{ runs: ItemRequests[]; puts: ItemRequests[] }> {
  await account.makeLists(['things'])
  await account.makeFlow(flow)
  const ids: string[] = []
  while (ids.length < items) ids.push(await account.createItem('things', `first-${ids.length}`))
  const headers = { 'x-api-token': account.token }
  const [mark, method] = ['marked-########', 'PUT']
  const conditional = { ...headers, 'if-match': '{etag}' }
  const requests = (change: (path: string, id: string) => string) =>
    ids.map((id) => {
      const path = `/lists/things/items/${id}`
      return { read: requestText({ path, headers }), change: change(path, id) }
    })
  return {
    runs: requests((_, item) => requestText({ path: '/flows/mark', headers, body: JSON.stringify({ item, mark }) })),
    puts: requests((path) => requestText({ path, method, headers: conditional, body: itemBody(mark) })),
  }
}
