/** The result of forwarding a delivery. */
export type Forwarded = {
  /** The status of the response; null: there was no response. */
  status: number | null
  /** Why there was no response. */
  error: string | null
  /** Nothing listened at the address: the request did not arrive, and may be sent again. */
  isUnreached: boolean
  durationMs: number
}

/** How long to wait for a response: longer than listd waits, to allow debugging the program. */
const timeoutMs = 30_000

/** Posts a payload once. A redirect counts as the response, and is not followed. @throws the reason of the signal that ended it */
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

/** System error codes for an address at which nothing listens. */
const unreached = /^(ECONNREFUSED|EHOSTUNREACH|ENETUNREACH|ENOTFOUND|EAI_AGAIN|UND_ERR_CONNECT_TIMEOUT)$/

/** Why `fetch` failed: the cause of its error is that of the system. */
function failureOf(error: unknown): Pick<Forwarded, 'error' | 'isUnreached'> {
  const { name, cause } = error as Error
  if (name === 'TimeoutError') return { error: 'timeout', isUnreached: false }
  const { code } = Object(cause) as { code?: unknown }
  const text = typeof code === 'string' ? code : 'no answer'
  return { error: text, isUnreached: unreached.test(text) }
}
