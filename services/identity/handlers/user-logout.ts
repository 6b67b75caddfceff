import type { UserLogout, UserLogoutAnswer } from '#shared/bus/subjects.ts'
import { deleteSession } from '#shared/data/sessions.ts'
import type { Deps } from '../deps.ts'

/** Ends the session of a token and tells every process that may keep it in memory. One that has ended already is no error. */
export async function logUserOut({ db, bus }: Deps, { tokenHash }: UserLogout): Promise<UserLogoutAnswer> {
  await deleteSession(db, tokenHash)
  bus.broadcast('revoked', { tokenHash })
  return {}
}
