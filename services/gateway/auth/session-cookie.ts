import { sessionCookie } from './credential.ts'

/** The `set-cookie` of a session. Scripts of a page cannot read the cookie, and browsers do not send it with writes from other sites. */
export function sessionCookieFor(session: { token: string; secondsLeft: number; secure: boolean }): string {
  const { token, secondsLeft, secure } = session
  const attributes = ['Path=/', `Max-Age=${secondsLeft}`, 'HttpOnly', 'SameSite=Lax', ...(secure ? ['Secure'] : [])]
  return [`${sessionCookie}=${token}`, ...attributes].join('; ')
}

/** Makes the browser delete the cookie. */
export function endedSessionCookie(secure: boolean): string {
  return sessionCookieFor({ token: '', secondsLeft: 0, secure })
}
