import { Client, type Dispatcher } from 'undici'
import type { RuledToken } from './ruled-tokens.ts'

/** A request of the API; by the account's token unless it is the user's, or by a token with rules that have conditions. */
export type Call = { method?: Dispatcher.HttpMethod; path: string; body?: unknown; as?: 'user' | RuledToken }

/** The part of an answer that the bench reads. */
export type Answer = {
  status: number
  body: {
    id?: string
    data?: readonly { id: string; createdAt: string }[]
    limit?: number
    total?: number
    itemCount?: number
    next?: string | null
    name?: string
    /** Of a token. */
    value?: string
  }
}

export type Caller = { call(one: Call): Promise<Answer>; close(): Promise<void> }

/** Calls the API on one connection, one request after the other. */
export function openCaller(
  origin: string,
  { token, session, ruled }: { token: string; session: string; ruled: Partial<Record<RuledToken, string>> },
): Caller {
  const client = new Client(origin, { allowH2: false })
  const asToken = { 'x-api-token': token, 'content-type': 'application/json' }
  const asUser = { authorization: `Bearer ${session}`, 'content-type': 'application/json' }
  return {
    async call({ method = 'GET', path, body, as }) {
      const headers =
        as === undefined ? asToken : as === 'user' ? asUser : { ...asToken, 'x-api-token': ruled[as] ?? '' }
      const text = body === undefined ? null : JSON.stringify(body)
      const answer = await client.request({ method, path, headers, body: text })
      const received = await answer.body.text()
      return { status: answer.statusCode, body: received === '' ? {} : JSON.parse(received) }
    },
    close: () => client.close(),
  }
}

/** The answer to a call that must succeed. @throws Error when it does not */
export async function good(caller: Caller, one: Call): Promise<Answer['body']> {
  const { status, body } = await caller.call(one)
  if (status > 299)
    throw new Error(`${one.method ?? 'GET'} ${one.path} was answered ${status}: ${JSON.stringify(body)}`)
  return body
}
