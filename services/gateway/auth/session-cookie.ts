import { sessionCookie } from './credential.ts'

/** Scripts of a page cannot read the cookie, and writing requests of other sites do not carry it. */
export function sessionCookieFor(session: { token: string; secondsLeft: number; secure: boolean }): string {
  const { token, secondsLeft, secure } = session
  const attributes = ['Path=/', `Max-Age=${secondsLeft}`, 'HttpOnly', 'SameSite=Lax', ...(secure ? ['Secure'] : [])]
  return [`${sessionCookie}=${token}`, ...attributes].join('; ')
}

/** Tells the browser to delete the cookie. */
export function endedSessionCookie(secure: boolean): string {
  return sessionCookieFor({ token: '', secondsLeft: 0, secure })
}
