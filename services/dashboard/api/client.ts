import { createClient } from '#client/src/client.ts'
import { manage, type SignedIn, type UserLogin } from '#client/src/manage.ts'
import { fetchInSession, isReadBy, nextSession, sessionBegan, sessionEnded } from './session.ts'

/** The listd that served the page, called as the user whose cookie the browser has. Nothing is sent twice in silence. */
export const client = createClient({
  url: location.origin,
  retries: 0,
  // Requests end after a minute (`fetchInSession`), but may wait for a sign-in as long as it takes.
  timeoutMs: Number.POSITIVE_INFINITY,
  fetch: fetchInSession,
})

/** What a user manages apart from lists and items. */
export const account = manage(client)

/** Calls that tell of a failed sign-in instead of waiting for one. */
const outside = createClient({ url: location.origin, retries: 0 })

/** @throws ListdError */
export async function signIn(email: string, password: string): Promise<void> {
  const { user } = await outside.send<UserLogin>('POST /auth/login', { body: { email, password } })
  sessionBegan(user.id)
}

export async function signOut(): Promise<void> {
  await outside.send('POST /auth/logout')
  sessionEnded()
}

/** The user, the account, and what it runs on. */
export async function readSelf(signal?: AbortSignal): Promise<SignedIn> {
  const self = await account.auth.find({ signal })
  if (!self) {
    await nextSession(signal)
    return readSelf(signal)
  }
  isReadBy(self.user.id)
  return self
}
