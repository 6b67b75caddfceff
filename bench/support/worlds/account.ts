import { type Api, type ApiAnswer, createApi, served } from '../../../test/support/http/api.ts'
import { makeCredentials } from '../../../test/support/http/credentials.ts'
import type { Listd } from './listd.ts'

export type BenchAccount = {
  accountId: string
  /** An API token that allows everything, and a session of the account's user. */
  token: string
  session: string
  /** @returns the value of another API token with these rules */
  generateToken(permissions: readonly object[]): Promise<string>
  /** Creates lists with the two indexes below, and the schema below or another. @returns their ids, in the order given */
  makeLists(pathNames: readonly string[], schema?: object): Promise<string[]>
  /** @returns the index's id, which its values are stored under: the list must be empty */
  makeIndex(list: string, body: object): Promise<string>
  makeFlow(document: object): Promise<void>
  makeWebhook(webhook: { url: string; listIds: readonly string[] }): Promise<BenchWebhook>
  /** A disabled webhook gets nothing; its waiting deliveries stay. */
  setActive(webhook: BenchWebhook, activated: boolean): Promise<void>
  /** Sends the webhook a ping; resolves when it has been answered. */
  ping(webhook: BenchWebhook): Promise<void>
  /** @returns the item's id */
  createItem(list: string, mark: string): Promise<string>
  /** @param data as JSON. @returns the item's id */
  createItemOf(list: string, data: string): Promise<string>
  registerIdentity(identity: { name: string; password: string }): Promise<void>
  /** The text of a GET's answer. */
  read(path: string): Promise<string>
}

export type BenchWebhook = { id: string; secret: string }

/** An account with a user and a token, created while the service is running. */
export async function makeAccount({ dataDir, address }: Listd): Promise<BenchAccount> {
  const { accountId, token, session } = await makeCredentials(dataDir)
  const asToken = createApi(() => address, { 'x-api-token': token })
  const asUser = createApi(() => address, { authorization: `Bearer ${session}` })
  const createItemOf = async (list: string, data: string): Promise<string> =>
    good(await asToken('POST', `/lists/${list}/items`, { text: `{"data":${data}}` })).json.id
  return {
    accountId,
    token,
    session,
    generateToken: async (permissions) =>
      good(await asUser('POST', '/tokens', { body: { name: 'bench', permissions } })).json.value,
    makeLists: (pathNames, schema = itemSchema) => makeLists(asToken, pathNames, schema),
    makeIndex: async (list, body) => good(await asToken('POST', `/lists/${list}/indexes`, { body })).json.id,
    async makeFlow(document) {
      good(await asUser('POST', '/flow-definitions', { body: { document } }))
    },
    async makeWebhook({ url, listIds }) {
      const body = { url, listIds, events: ['item.created'] }
      // Urls are checked, a few of an account at once; the others are answered that they should try again.
      const { id, secret } = good(await served(() => asUser('POST', '/webhooks', { body }))).json
      return { id, secret }
    },
    async setActive({ id }, activated) {
      good(await asUser('PUT', `/webhooks/${id}`, { body: { activated } }))
    },
    async ping({ id }) {
      good(await asUser('POST', `/webhooks/${id}/ping`))
    },
    createItem: (list, mark) => createItemOf(list, itemData(mark)),
    createItemOf,
    async registerIdentity(body) {
      good(await asToken('POST', '/identities/register', { body }))
    },
    read: async (path) => good(await asToken('GET', path)).text,
  }
}

/** Item data of exactly this many bytes, as compact JSON. */
export function itemData(mark: string, bytes = 1_024): string {
  const [before, after] = [`{"mark":"${mark}","rank":${mark.length},"text":"`, '"}']
  return before + filler.slice(0, bytes - before.length - after.length) + after
}

export function itemBody(mark: string): string {
  return `{"data":${itemData(mark)}}`
}

const filler = 'The quick brown fox jumps over the lazy dog and runs away. '.repeat(200)

/** The schema of such data. */
export const itemSchema = {
  type: 'object',
  required: ['mark', 'rank', 'text'],
  additionalProperties: false,
  properties: {
    mark: { type: 'string', minLength: 1, maxLength: 40 },
    rank: { type: 'number', minimum: 0 },
    text: { type: 'string', maxLength: 2_000 },
  },
}

const indexes = {
  mark: { pointer: '/mark', alias: true },
  rank: { pointer: '/rank', valueType: 'number', sorting: true },
}

async function makeLists(api: Api, pathNames: readonly string[], schema: object): Promise<string[]> {
  const lists = Object.fromEntries(pathNames.map((pathName) => [pathName, { name: pathName, schema, indexes }]))
  const { changes } = good(await api('POST', '/sync-schema', { body: { scope: 'bench', lists } })).json
  return pathNames.map((pathName) => {
    return changes.find((change: Record<string, string>) => {
      return change.resourceType === 'list' && change.list === pathName
    }).listId
  })
}

function good(answer: ApiAnswer): ApiAnswer {
  if (answer.status > 299) throw new Error(`the API answered ${answer.status}: ${answer.text}`)
  return answer
}
