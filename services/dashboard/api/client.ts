import { createClient } from '#client/src/client.ts'
import { manage, type SignedIn, type UserLogin } from '#client/src/manage.ts'
import { fetchInSession, isReadBy, nextSession, sessionBegan, sessionEnded } from './session.ts'

/** Client of the listd that served the page, with the user's session cookie. Requests are not repeated automatically. */
export const client = createClient({
  url: location.origin,
  retries: 0,
  // Requests time out after a minute (`fetchInSession`), but wait for a sign-in without a limit.
  timeoutMs: Number.POSITIVE_INFINITY,
  fetch: fetchInSession,
})

/** Everything that users manage, except lists and items. */
export const account = manage(client)

/** Calls that report a failed sign-in instead of waiting for one. */
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

/** The user, the account, and the server's version. */
export async function readSelf(signal?: AbortSignal): Promise<SignedIn> {
  const self = await account.auth.find({ signal })
  if (!self) {
    await nextSession(signal)
    return readSelf(signal)
  }
  isReadBy(self.user.id)
  return self
}
