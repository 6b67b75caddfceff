import { signal } from '@preact/signals'

/** Whether a request was rejected because the session has ended. Scripts cannot read the cookie itself. */
export const isSignedOut = signal(false)

/** The user for whom the page was read; null: nothing has been read. */
let reader: string | null = null

/** `began`: the id of the user who signed in. */
type Message = { began: string } | { ended: true }

/** Other tabs of the browser share the cookie. */
const tabs = new BroadcastChannel('listd-session')
tabs.onmessage = ({ data }: MessageEvent<Message>) => ('began' in data ? begin(data.began) : end())

let waiting: (() => void)[] = []

function end(): void {
  isSignedOut.value = true
}

function begin(userId: string): void {
  if (!isReadBy(userId)) return
  isSignedOut.value = false
  const woken = waiting
  waiting = []
  for (const wake of woken) wake()
}

/**
 * Sets the user of this page. If it is another user than before, the page reloads and waiting requests are not sent, so that nothing that
 * one user read, typed, or was about to send reaches another.
 * @returns whether the user is the same as before
 */
export function isReadBy(userId: string): boolean {
  const isSame = reader === null || reader === userId
  if (isSame) reader = userId
  else location.reload()
  return isSame
}

/** The user of this page; null: no user has signed in. */
export function readerOfPage(): string | null {
  return reader
}

/** Called when the user has signed in: waiting requests are sent again, also in other tabs. */
export function sessionBegan(userId: string): void {
  const message: Message = { began: userId }
  tabs.postMessage(message)
  begin(userId)
}

/** Called when the user has signed out. It applies to all tabs. */
export function sessionEnded(): void {
  const message: Message = { ended: true }
  tabs.postMessage(message)
  end()
}

/** Waits until the user has signed in again. @throws the signal's reason */
export function nextSession(signal?: AbortSignal | null): Promise<void> {
  end()
  return new Promise((resolve, reject) => {
    waiting.push(resolve)
    signal?.addEventListener('abort', () => reject(signal.reason), { once: true })
  })
}

/** The timeout of a request. */
const timeoutMs = 60_000

/** `fetch` for the client: a request whose session has ended waits until the user has signed in, and is sent again. */
export async function fetchInSession(url: string | URL | Request, init: RequestInit = {}): Promise<Response> {
  for (;;) {
    const ends = [AbortSignal.timeout(timeoutMs), ...(init.signal ? [init.signal] : [])]
    const response = await fetch(url, { ...init, signal: AbortSignal.any(ends) })
    if (response.status !== 401 || !(await isUnauthenticated(response))) return response
    await nextSession(init.signal)
  }
}

/** Other answers with status 401 are about a password that was requested again. */
async function isUnauthenticated(response: Response): Promise<boolean> {
  const body = await response
    .clone()
    .json()
    .catch(() => null)
  return body?.name === 'USER_NOT_AUTHENTICATED'
}
