import type { SyncDocument } from '#client/src/types/sync-resources.ts'
import type { Database } from '#shared/data/database.ts'
import { anotherConnection } from '../databases/database.ts'
import { served } from '../http/api.ts'
import { clientOf } from '../processes/clients.ts'
import { type Listd, type ListdOptions, testListd } from '../processes/listd.ts'
import { untilStopped } from '../processes/processes.ts'
import { type Authority, makeAuthority } from '../receivers/certificate.ts'
import { testCaFile, testReceiver } from '../receivers/egress.ts'
import type { ReceivedRequest, Receiver } from '../receivers/receiver.ts'
import type { Teardown } from '../test-context/teardown.ts'

/** A registered webhook: a path of its own receiver or of a shared one. */
export type SceneWebhook = { id: string; secret: string; receiver: Receiver; path: string }

/** A running listd, the list "recipes", a customer's server and its webhooks. */
export type Scene = {
  listd: Listd
  authority: Authority
  /** The targets of the webhooks that the scene began with. */
  receiver: Receiver
  webhooks: SceneWebhook[]
  db: Database
}

const document: SyncDocument = {
  scope: 'kitchen',
  lists: {
    recipes: {
      name: 'Recipes',
      schema: { type: 'object', required: ['title'], properties: { title: { type: 'string' } } },
      indexes: {
        title: { pointer: '/title', alias: true, filtering: true },
        minutes: { pointer: '/minutes', valueType: 'number' },
      },
    },
  },
}

/**
 * Sets a scene for one test, or for all tests of a file; everything in it is removed when they end.
 * @param options.webhooks how many webhooks for created items use the receiver, each with its own path
 */
export async function setScene(
  t: Teardown,
  { webhooks = 1, env = {}, ...database }: ListdOptions & { webhooks?: number } = {},
): Promise<Scene> {
  const authority = makeAuthority()
  const caFile = await testCaFile(t, authority.cert)
  const listd = await testListd(t, {
    ...database,
    env: { LISTD_WEBHOOKS_ALLOW_CIDRS: '127.0.0.0/8', LISTD_WEBHOOKS_CA_FILE: caFile, ...env },
  })
  const db = await anotherConnection(t, listd.dataDir, { readers: 1 })
  return furnish(t, { listd, authority, db }, webhooks)
}

/** A separate scene for one test on the processes of another: with its own account, receiver and webhooks. */
export async function setSceneOn(t: Teardown, { listd, ...scene }: Scene, { webhooks = 1 } = {}): Promise<Scene> {
  return furnish(t, { ...scene, listd: await listd.anotherAccount() }, webhooks)
}

async function furnish(
  t: Teardown,
  { listd, authority, db }: Pick<Scene, 'listd' | 'authority' | 'db'>,
  webhooks: number,
): Promise<Scene> {
  const receiver = await testReceiver(t, { authority })
  const scene: Scene = { listd, authority, db, receiver, webhooks: [] }
  await clientOf(listd).sync.apply(document)
  for (let n = 1; n <= webhooks; n++) await addWebhook(scene, { path: `/hooks/${n}` })
  return scene
}

/** Registers another webhook. @param options.port of a proxy between it and its receiver */
export async function addWebhook(
  { listd, webhooks, receiver: ofScene }: Scene,
  options: { path?: string; receiver?: Receiver; port?: number; events?: string[] } = {},
): Promise<SceneWebhook> {
  const { receiver = ofScene, path = '/hook', port = receiver.port, events = ['item.created'] } = options
  const url = Object.assign(new URL(path, receiver.url), { port }).href
  const body = { url, events }
  const { status, text, json } = await served(() => listd.user('POST', '/webhooks', { body }))
  if (status !== 201) throw new Error(text)
  const webhook = { id: json.id, secret: json.secret, receiver, path }
  webhooks.push(webhook)
  return webhook
}

/** The requests that a webhook has received so far. */
export function receivedBy({ receiver, path }: SceneWebhook): ReceivedRequest[] {
  return receiver.requests.filter((request) => request.path === path)
}

/**
 * Freezes the dispatcher, and waits until it has stopped. On SQLite this process holds the database's write lock while it freezes the
 * dispatcher: a dispatcher frozen with the lock would stop everyone.
 */
export async function freezeDispatcher({ listd, db }: Scene): Promise<void> {
  await db.transaction(async () => {
    listd.signal('webhook-dispatcher', 'SIGSTOP')
    await untilStopped([listd.pidOf('webhook-dispatcher')])
  })
}

let titles = 0

/** Creates an item with a unique title. @returns its id, once it is acknowledged */
export async function createItem({ listd }: Scene, { list = 'recipes' } = {}): Promise<string> {
  const body = { data: { title: `Soup ${++titles}`, minutes: titles } }
  const { status, text, json } = await listd.api('POST', `/lists/${list}/items`, { body })
  if (status !== 201) throw new Error(text)
  return json.id
}

/** Creates a number of items at once. @returns their ids */
export function createItems(scene: Scene, count: number): Promise<string[]> {
  return Promise.all(Array.from({ length: count }, () => createItem(scene)))
}
