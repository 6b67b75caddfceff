import { assertDescribed } from './described-answers.ts'

/**
 * The `fetch` of a client under test: each response must match the API's description. For a mismatch it returns a response with the
 * difference, because a client treats an error of `fetch` as a broken connection, and may retry.
 */
export async function describedFetch(input: string | URL | Request, init: RequestInit = {}): Promise<Response> {
  const response = await fetch(input, init)
  const { pathname, search } = new URL(input instanceof Request ? input.url : input)
  const text = await response.clone().text()
  try {
    const json = text === '' ? undefined : JSON.parse(text)
    const answer = { status: response.status, headers: Object.fromEntries(response.headers), json }
    assertDescribed({ method: init.method ?? 'GET', path: `${pathname}${search}` }, answer)
    return response
  } catch (error) {
    return new Response(String(error), { status: 500 })
  }
}
