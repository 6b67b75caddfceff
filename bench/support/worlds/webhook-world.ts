import { type BenchAccount, type BenchWebhook, makeAccount } from './account.ts'
import { type Listd, startListd } from './listd.ts'
import { type Receiver, startReceiver } from './receiver.ts'

export const webhookCount = 50

/** A running listd with 50 lists, a webhook for each, all at one receiver. */
export type WebhookWorld = {
  receiver: Receiver
  listd: Listd
  account: BenchAccount
  /** Path names and ids at the same positions as the webhooks. */
  lists: { pathName: string; id: string }[]
  webhooks: BenchWebhook[]
  [Symbol.asyncDispose](): Promise<void>
}

/** @param env settings in addition to those with which the receiver is reachable */
export async function startWebhookWorld(env: Record<string, string> = {}): Promise<WebhookWorld> {
  await using started = new AsyncDisposableStack()
  const receiver = started.use(await startReceiver())
  const settings = { LISTD_WEBHOOKS_ALLOW_CIDRS: '127.0.0.0/8', LISTD_WEBHOOKS_CA_FILE: receiver.caFile }
  const listd = started.use(await startListd({ ...settings, ...env }))
  const account = await makeAccount(listd)
  const pathNames = Array.from({ length: webhookCount }, (_, n) => `list-${n}`)
  const ids = await account.makeLists(pathNames)
  const lists = pathNames.map((pathName, n) => ({ pathName, id: ids[n] ?? '' }))
  const url = `${receiver.origin}/hook`
  const webhooks = await Promise.all(lists.map(({ id }) => account.makeWebhook({ url, listIds: [id] })))
  const all = started.move()
  return { receiver, listd, account, lists, webhooks, [Symbol.asyncDispose]: () => all.disposeAsync() }
}
