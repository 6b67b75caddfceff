import { setTimeout as delay } from 'node:timers/promises'
import { assertDescribed } from './answers/described-answers.ts'

export type ApiAnswer = {
  status: number
  headers: Headers
  text: string
  // biome-ignore lint/suspicious/noExplicitAny: a test says by its assertions what it expects
  json: any
}

/** How long a busy machine may take to serve a call. */
const patienceMs = 180_000

/**
 * The answer to a call in which another process takes part: on a busy machine that may not answer in time, and then the call is
 * repeated, as 503 requests.
 */
export async function served<Answer extends { status: number }>(ask: () => Promise<Answer>): Promise<Answer> {
  const giveUpAt = performance.now() + patienceMs
  for (;;) {
    const answer = await ask()
    if (answer.status !== 503 || performance.now() > giveUpAt) return answer
    await delay(100)
  }
}

/** Calls the API as one caller, and checks each response against the API's description; `headers` of a call override the caller's. */
export type Api = (
  method: string,
  path: string,
  options?: { body?: unknown; text?: string; headers?: Record<string, string> },
) => Promise<ApiAnswer>

/**
 * @param address returns the current address of the API
 * @param credentials headers that every call has
 */
export function createApi(address: () => string, credentials: Record<string, string>): Api {
  return async (method, path, { body, text, headers } = {}) => {
    const payload = text ?? (body === undefined ? null : JSON.stringify(body))
    const response = await fetch(`${address()}${path}`, {
      method,
      body: payload,
      headers: { ...credentials, ...(payload !== null && { 'content-type': 'application/json' }), ...headers },
    })
    const answer = await response.text()
    const json = answer === '' ? null : JSON.parse(answer)
    const { status, headers: received } = response
    const sent = { status, headers: Object.fromEntries(received), json: answer === '' ? undefined : json }
    assertDescribed({ method, path }, sent)
    return { status, headers: received, text: answer, json }
  }
}
