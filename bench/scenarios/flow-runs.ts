import { type BenchAccount, itemBody, makeAccount } from '../support/account.ts'
import { startListd } from '../support/listd.ts'
import { alternate, type Pace } from '../support/pace.ts'
import { startProgram } from '../support/program.ts'
import { requestText } from '../support/raw-connection.ts'
import { type Connections, reportRuns, runLoad, warmUp } from '../support/runs.ts'

/** So many that two calls that are under way at once seldom change the same one. */
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
 * Runs of a flow that change an item of 1 KB with two indexes, beside PUTs of the same. Either reads the item, and proves with its
 * commit that nobody has changed it meanwhile.
 */
export async function flowRuns(pace: Pace): Promise<void> {
  await using started = new AsyncDisposableStack()
  const listd = started.use(await startListd())
  const client = started.use(await startProgram<null>('load.ts', null))
  const account = await makeAccount(listd)
  const { runs, puts } = await makeRequests(account)
  const send = (requests: readonly string[], load: Connections) =>
    runLoad(client, { origin: listd.address, requests, ...load }, listd.processes())
  for (const requests of [runs, puts]) await warmUp((load) => send(requests, load), pace)
  const load = { connections, seconds: 4 * pace.share }
  reportRuns(await alternate(pace.rounds, { subject: () => send(runs, load), yardstick: () => send(puts, load) }), {
    title: `${connections} connections`,
    names: ['runs', 'PUTs'],
    of: `PUTs of the same item; target >= ${target}`,
  })
}

async function makeRequests(account: BenchAccount): Promise<{ runs: string[]; puts: string[] }> {
  await account.makeLists(['things'])
  await account.makeFlow(flow)
  const ids: string[] = []
  while (ids.length < items) ids.push(await account.createItem('things', `first-${ids.length}`))
  const headers = { 'x-api-token': account.token }
  const [mark, method] = ['marked-########', 'PUT']
  return {
    runs: ids.map((item) => requestText({ path: '/flows/mark', headers, body: JSON.stringify({ item, mark }) })),
    puts: ids.map((id) => requestText({ path: `/lists/things/items/${id}`, method, headers, body: itemBody(mark) })),
  }
}
