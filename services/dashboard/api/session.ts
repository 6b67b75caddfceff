import { signal } from '@preact/signals'

/** A user's session is a cookie that no script can read: what the page knows of it is what the server answers. */
type SessionState = 'unknown' | 'live' | 'ended'

export const session = signal<SessionState>('unknown')

/** Other tabs of the same browser have the same cookie. */
const tabs = new BroadcastChannel('listd-session')
tabs.onmessage = ({ data }) => setSession(data === 'live' ? 'live' : 'ended')

let waiting: (() => void)[] = []

function setSession(state: SessionState): void {
  session.value = state
  if (state !== 'live') return
  const woken = waiting
  waiting = []
  for (const wake of woken) wake()
}

/** The user signed in: requests that waited for it go again, in other tabs too. */
export function sessionBegan(): void {
  setSession('live')
  tabs.postMessage('live')
}

/** The user signed out, here. */
export function sessionEnded(): void {
  setSession('ended')
  tabs.postMessage('ended')
}

/** A request that finds its session ended waits for the next one. @throws the signal's reason */
function nextSession(signal?: AbortSignal | null): Promise<void> {
  setSession('ended')
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
    if (response.status !== 401 || !(await isUnauthenticated(response))) {
      if (session.value === 'unknown' && response.ok) setSession('live')
      return response
    }
    await nextSession(init.signal)
  }
}

/** Other answers with status 401 speak of a password that was asked for once more. */
async function isUnauthenticated(response: Response): Promise<boolean> {
  const { name } = await response.clone().json()
  return name === 'USER_NOT_AUTHENTICATED'
}
