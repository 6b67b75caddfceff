import { signal } from '@preact/signals'

/** Whether a request has found no live session. The cookie itself cannot be read by a script. */
export const isSignedOut = signal(false)

/** Who has read what is on the page; null: nothing has been read. */
let reader: string | null = null

/** `began`: the id of the user who signed in. */
type Message = { began: string } | { ended: true }

/** Other tabs of the same browser have the same cookie. */
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
 * Tells whose page this is. What one user has read, wrote in a form and was about to send is nothing for another: the page begins
 * anew then, and requests that wait for a session are not sent.
 * @returns whether it is still the same user's
 */
export function isReadBy(userId: string): boolean {
  const isSame = reader === null || reader === userId
  if (isSame) reader = userId
  else location.reload()
  return isSame
}

/** Whose page this is; null: nobody has signed in. */
export function readerOfPage(): string | null {
  return reader
}

/** The user signed in: requests that waited for it go again, in other tabs too. */
export function sessionBegan(userId: string): void {
  const message: Message = { began: userId }
  tabs.postMessage(message)
  begin(userId)
}

/** The user signed out, in all tabs. */
export function sessionEnded(): void {
  const message: Message = { ended: true }
  tabs.postMessage(message)
  end()
}

/** What finds its session ended waits for the next one. @throws the signal's reason */
export function nextSession(signal?: AbortSignal | null): Promise<void> {
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
