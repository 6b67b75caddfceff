import { readFile } from 'node:fs/promises'
import { setTimeout as delay } from 'node:timers/promises'
import test, { type ExecutionContext } from 'ava'
import { until } from '../../support/assertions/until.ts'
import { databaseSettings, takeEmpty } from '../../support/databases/database.ts'
import { assembleImage, whyNoContainers } from '../../support/deploy/container.ts'
import { type KubeObject, renderChart, type Values } from '../../support/deploy/helm.ts'
import { type Cluster, type Pod, startPod } from '../../support/deploy/pods.ts'
import { runTour, tourFolder } from '../../support/deploy/tour.ts'
import { createApi } from '../../support/http/api.ts'
import { makeCredentials } from '../../support/http/credentials.ts'
import { rounds } from '../../support/load/soak.ts'
import { testNats } from '../../support/nats/nats.ts'
import { freePort } from '../../support/processes/free-port.ts'
import { Receiver } from '../../support/receivers/receiver.ts'
import { testFolder } from '../../support/test-context/folder.ts'

type Component = 'gateway' | 'identity' | 'webhook-dispatcher'
const components: readonly Component[] = ['gateway', 'identity', 'webhook-dispatcher']

/** A database, a NATS server and the image, and values for the chart that refer to them. */
type Site = Omit<Cluster, 'objects'> & { values: Values; dataDir: string }

async function makeSite(t: ExecutionContext, ca: string): Promise<Site> {
  const dataDir = await testFolder(t)
  t.teardown(await takeEmpty(dataDir))
  const { LISTD_DATABASE_URL: url = '', LISTD_SECRETS_MASTER_KEY: key = '' } = databaseSettings(dataDir)
  const { url: natsUrl } = await testNats(t)
  return {
    dataDir,
    image: await assembleImage(t),
    secrets: { database: { url }, key: { 'master-key': key }, nats: { url: natsUrl }, ca: { 'ca.crt': ca } },
    values: {
      database: { secretName: 'database' },
      masterKey: { secretName: 'key' },
      nats: { secretName: 'nats' },
      webhooks: { caSecretName: 'ca' },
      config: {
        database: { pool: 4 },
        passwords: { memoryMib: 19 },
        webhooks: { allowCidrs: ['127.0.0.0/8'] },
        dispatcher: { leaseSeconds: 15 },
      },
      pods: { preStopSeconds: 1 },
    },
  }
}

/** `api`: the port of the gateway; a free one otherwise. */
type Release = { tag: string; api?: number }

/** Starts a pod of a component on free ports, because the pods of the test share the addresses of this machine. */
async function startComponent(t: ExecutionContext, site: Site, component: Component, { tag, api }: Release) {
  const port = api ?? (await freePort())
  const ports = { opsPort: await freePort(), gateway: { port, host: '127.0.0.1' } }
  const objects = await renderChart(t, { ...site.values, ...ports, image: { tag } })
  const deployment = objects.find(
    ({ metadata, kind }) => kind === 'Deployment' && metadata.name.endsWith(`-${component}`),
  )
  const pod = await startPod(t, { ...site, objects }, deployment as KubeObject)
  for (const probe of ['startupProbe', 'livenessProbe', 'readinessProbe'] as const) await pod.passes(probe)
  return { ...pod, address: `http://127.0.0.1:${port}` }
}

async function migrate(t: ExecutionContext, site: Site): Promise<void> {
  const objects = await renderChart(t, site.values)
  const job = objects.find(({ kind }) => kind === 'Job')
  const { process } = await startPod(t, { ...site, objects }, job as KubeObject)
  t.like(await process.ended, { code: 0 }, process.stderr())
}

/** Whether the machine can run pods; if not, the test's log says why. */
async function canRun(t: ExecutionContext): Promise<boolean> {
  const reason = await whyNoContainers()
  if (reason === null) return true
  t.log(reason)
  t.pass()
  return false
}

test.serial("README's tour works in the pods of the chart", async (t) => {
  if (!(await canRun(t))) return
  const tour = await tourFolder(t)
  const site = await makeSite(t, await readFile(tour.certificate, 'utf8'))
  await migrate(t, site)
  const [gateway] = await Promise.all(
    components.map((component) => startComponent(t, site, component, { tag: 'this', api: tour.ports.api })),
  )
  const { exec, env } = gateway as Pod
  await runTour(t, tour, { command: exec(['/usr/local/bin/listd']), env })
})

test.serial('while each service is rolled to the next version nothing fails, and nothing is lost', async (t) => {
  t.timeout(rounds({ once: 240_000, soak: 1_800_000 }))
  if (!(await canRun(t))) return
  const receiver = await new Receiver({}).listen({})
  t.teardown(() => receiver.close())
  const site = await makeSite(t, receiver.ca)
  await migrate(t, site)
  const running = new Map<Component, Pod & { address: string }>()
  await Promise.all(
    components.map(async (name) => running.set(name, await startComponent(t, site, name, { tag: 'v0' }))),
  )
  const { token, session } = await makeCredentials(site.dataDir)
  // Like the Service of the gateway: the address of the pod that is ready and not about to end.
  const address = () => running.get('gateway')?.address ?? ''
  const api = createApi(address, { 'x-api-token': token })
  const user = createApi(address, { authorization: `Bearer ${session}` })
  t.is((await api('POST', '/sync-schema', { body: { lists: { notes: {} } } })).status, 200)
  const hook = await user('POST', '/webhooks', { body: { url: receiver.url, events: ['item.created'] } })
  t.is(hook.status, 201, hook.text)

  const writers = startWriters(api)
  t.teardown(writers.stop)
  for (let round = 1; round <= rounds({ once: 1, soak: 10 }); round++) {
    for (const name of components) {
      const before = writers.created.length
      const next = await startComponent(t, site, name, { tag: `v${round}` })
      const last = running.get(name)
      running.set(name, next)
      t.is(await last?.stop(), 0, `${name} drains`)
      await until(() => writers.created.length > before || writers.failed.slice(-3), {
        withinMs: 60_000,
        what: 'more items',
      })
    }
  }
  await writers.stop()
  const { created, failed } = writers
  t.deepEqual(failed, [])
  t.is(new Set(created).size, created.length)
  for (const id of created.slice(-20)) t.is((await api('GET', `/lists/notes/items/${id}`)).status, 200)
  const delivered = () =>
    receiver.requests.map(({ body }) => /"item":\{"id":"([^"]+)"/.exec(body.toString())?.[1] ?? '')
  const missing = () => created.filter((id) => !delivered().includes(id)).length
  await until(() => missing() === 0 || missing(), { withinMs: 120_000, what: 'every item to be delivered' })
})

/** Creates items with several clients until they are stopped; each client creates one after the other. */
function startWriters(api: ReturnType<typeof createApi>) {
  const created: string[] = []
  const failed: string[] = []
  let isStopped = false
  const write = async () => {
    while (!isStopped) {
      const answer = await api('POST', '/lists/notes/items', { body: { data: { text: 'Soup' } } }).catch(
        (error: Error) => ({ status: 0, text: `${error.message}: ${error.cause}`, json: null }),
      )
      if (answer.status === 201) created.push(answer.json.id)
      else failed.push(`${answer.status} ${answer.text}`)
      // Slower than one webhook receives events, so that its queue stays short.
      await delay(100)
    }
  }
  const all = Promise.all([write(), write(), write()])
  return {
    created,
    failed,
    async stop() {
      isStopped = true
      await all
    },
  }
}
