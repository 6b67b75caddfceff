import { signal } from '@preact/signals'

/** Whether a request has found no live session. The cookie itself cannot be read by a script. */
export const isSignedOut = signal(false)

/** Other tabs of the same browser have the same cookie. */
const tabs = new BroadcastChannel('listd-session')
tabs.onmessage = ({ data }) => (data === 'began' ? begin() : end())

let waiting: (() => void)[] = []

function end(): void {
  isSignedOut.value = true
}

function begin(): void {
  isSignedOut.value = false
  const woken = waiting
  waiting = []
  for (const wake of woken) wake()
}

/** The user signed in: requests that waited for it go again, in other tabs too. */
export function sessionBegan(): void {
  begin()
  tabs.postMessage('began')
}

/** The user signed out, in all tabs. */
export function sessionEnded(): void {
  end()
  tabs.postMessage('ended')
}

/** A request that finds its session ended waits for the next one. @throws the signal's reason */
function nextSession(signal?: AbortSignal | null): Promise<void> {
  end()
  return new Promise((resolve, reject) => {
    waiting.push(resolve)
    signal?.addEventListener('abort', () => reject(signal.reason), { once: true })
  })
}

/** How long an answer may take. */
const timeoutMs = 60_000

/** `fetch` for the client: a request without a live session waits until the user has signed in, and goes again. */
export async function fetchInSession(url: string | URL | Request, init: RequestInit = {}): Promise<Response> {
  for (;;) {
    const ends = [AbortSignal.timeout(timeoutMs), ...(init.signal ? [init.signal] : [])]
    const response = await fetch(url, { ...init, signal: AbortSignal.any(ends) })
    if (response.status !== 401 || !(await isUnauthenticated(response))) return response
    await nextSession(init.signal)
  }
}

/** Other answers with status 401 speak of a password that was asked for once more. */
async function isUnauthenticated(response: Response): Promise<boolean> {
  const body = await response
    .clone()
    .json()
    .catch(() => null)
  return body?.name === 'USER_NOT_AUTHENTICATED'
}
