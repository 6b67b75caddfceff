/** What became of a delivery at the address that it was forwarded to. */
export type Forwarded = {
  /** The status of the answer; null: there was none. */
  status: number | null
  /** Why there was none. */
  error: string | null
  /** Nothing listened there: what was sent did not arrive, and may be sent again. */
  isUnreached: boolean
  durationMs: number
}

/** How long an answer is waited for: longer than listd waits, for a person who looks at the program in a debugger. */
const timeoutMs = 30_000

/** Posts a payload once. A redirect is an answer, and is not followed. @throws the reason of a signal that has ended it */
export async function forward(
  url: string,
  { headers, payload, signal }: { headers: Record<string, string>; payload: string; signal: AbortSignal },
): Promise<Forwarded> {
  const startedAt = performance.now()
  const ended = (fields: Omit<Forwarded, 'durationMs'>) => ({
    ...fields,
    durationMs: Math.round(performance.now() - startedAt),
  })
  try {
    const response = await fetch(url, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...headers },
      body: payload,
      redirect: 'manual',
      signal: AbortSignal.any([signal, AbortSignal.timeout(timeoutMs)]),
    })
    await response.body?.cancel()
    return ended({ status: response.status, error: null, isUnreached: false })
  } catch (error) {
    signal.throwIfAborted()
    return ended({ status: null, ...failureOf(error) })
  }
}

/** Codes of the system for an address at which nothing listens. */
const unreached = /^(ECONNREFUSED|EHOSTUNREACH|ENETUNREACH|ENOTFOUND|EAI_AGAIN|UND_ERR_CONNECT_TIMEOUT)$/

/** Why `fetch` failed: it has the error of the system as the cause of its own. */
function failureOf(error: unknown): Pick<Forwarded, 'error' | 'isUnreached'> {
  const { name, cause } = error as Error
  if (name === 'TimeoutError') return { error: 'timeout', isUnreached: false }
  const { code } = Object(cause) as { code?: unknown }
  const text = typeof code === 'string' ? code : 'no answer'
  return { error: text, isUnreached: unreached.test(text) }
}
