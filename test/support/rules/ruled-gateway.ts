import type { PermissionRule } from '#shared/domain/access/permission-rule.ts'
import { addList } from '../databases/contents/lists.ts'
import { type Credentials, makeAccount, type TestAccount } from '../http/callers.ts'
import { type Call, call, type Reply } from '../http/client.ts'
import type { TestGateway } from '../http/gateway.ts'
import { makeIdentity } from '../identity/identities.ts'
import {
  type Caller,
  type Ids,
  identities,
  indexes,
  type SampleName,
  sampleNames,
  samples,
  tokenTags,
} from './samples.ts'

/** The items of the table in a list that a gateway serves, and its callers. */
export type RuledItems = {
  account: TestAccount
  listId: string
  /** The path of the list. */
  path: string
  ids: Ids
  items: Record<SampleName, string>
  /** A new token with these rules; the function returns its credentials for a caller. */
  token(rules: readonly PermissionRule[]): Promise<(caller: Caller) => Credentials>
  ask(request: Call): Promise<Reply>
}

const everything: PermissionRule[] = [{ mode: 'allow', action: '*' }]
const signIn: PermissionRule = { mode: 'allow', action: 'authenticate', resourceType: 'identity' }

/** @throws Error when one of the items cannot be created */
export async function ruledItems(gateway: TestGateway, more: readonly object[] = []): Promise<RuledItems> {
  const { db } = gateway.deps
  const account = await makeAccount(db)
  const { accountId, user } = account
  const listId = await addList(db, accountId, { indexes: [...indexes] })
  const path = `/lists/${listId}`
  const ask = (request: Call) => call(gateway.port, { headers: user, ...request })
  const sessions = await Promise.all(
    (['ada', 'bob'] as const).map(async (who) => {
      const { name, groupName, tags } = identities[who]
      const session = await makeIdentity(db, { accountId, name, ...(groupName !== null && { group: groupName }) })
      await ask({ method: 'PUT', path: `/identities/${session.identityId}`, body: { tags } })
      return session
    }),
  )
  const [ada, bob] = sessions.map(({ identityId }) => identityId) as [string, string]
  const headersOf = (caller: Caller): Credentials =>
    caller === 'nobody' ? {} : (sessions[caller === 'ada' ? 0 : 1]?.headers ?? {})
  const owner = await account.token(everything)
  const created: Partial<Record<SampleName, string>> = {}
  for (const name of sampleNames) {
    const { data, tags, owner: who } = samples({ ada, bob })[name]
    const headers = who === null ? user : { ...owner, ...headersOf(who) }
    const reply = await ask({ method: 'POST', path: `${path}/items`, headers, body: { data, tags } })
    if (reply.status !== 201) throw new Error(reply.text)
    created[name] = String(reply.json?.id)
  }
  for (const body of more) await ask({ method: 'POST', path: `${path}/items`, body })
  return {
    account,
    listId,
    path,
    ids: { ada, bob },
    items: created as Record<SampleName, string>,
    async token(rules) {
      const permissions = [signIn, ...rules]
      const reply = await ask({ method: 'POST', path: '/tokens', body: { name: 'app', tags: tokenTags, permissions } })
      if (reply.status !== 201) throw new Error(reply.text)
      return (caller) => ({ 'x-api-token': String(reply.json?.value), ...headersOf(caller) })
    },
    ask,
  }
}
