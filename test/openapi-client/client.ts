import createClient, { type Client } from 'openapi-fetch'
import type { paths } from '../fixtures/openapi.d.ts'
import { assertDescribed } from '../support/http/answers/described-answers.ts'
import { served } from '../support/http/api.ts'
import type { Listd } from '../support/processes/listd.ts'

export type TypedClient = Client<paths>

/**
 * A client that is created as `docs/api.md` says, with the committed types. Calls that are answered with 503 are repeated, and each
 * answer is checked against the description.
 */
export function typedClient({ address }: Pick<Listd, 'address'>, headers: Record<string, string> = {}): TypedClient {
  const client = createClient<paths>({
    baseUrl: address,
    headers,
    querySerializer: { object: { style: 'form', explode: true } },
    fetch: (request) => served(() => fetch(request.clone())),
  })
  client.use({
    async onResponse({ request, response }) {
      const { pathname, search } = new URL(request.url)
      const text = await response.clone().text()
      const json = text === '' ? undefined : JSON.parse(text)
      const headers = Object.fromEntries(response.headers)
      assertDescribed(
        { method: request.method, path: `${pathname}${search}` },
        { status: response.status, headers, json },
      )
    },
  })
  return client
}

type Outcome<T> = { data?: T; error?: unknown; response: Response }

/** The body of a successful call. @throws Error with the answer of a failed one */
export function dataOf<T>({ data, error, response }: Outcome<T>): T {
  if (data === undefined) throw new Error(`${response.status} ${JSON.stringify(error)}`)
  return data
}
