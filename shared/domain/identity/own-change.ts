import type { Identity } from './identity.ts'

/** What an identity changes of itself (contract 2.5), in normal form; `email` null removes the address. */
export type OwnChange = { name?: string; displayName?: string; email?: string | null; password?: string }

type Changed = readonly (keyof OwnChange)[]

/** What a change makes different. A new password is not compared with the current one, and always is. */
export function changedBy(change: OwnChange, before: Identity): Changed {
  const fields = (['name', 'displayName', 'email'] as const).filter(
    (name) => change[name] !== undefined && change[name] !== before[name],
  )
  return change.password === undefined ? fields : [...fields, 'password']
}

/** Whether the change asks for the current password (contract 2.5). */
export function needsCurrentPassword(changed: Changed): boolean {
  return changed.includes('password') || changed.includes('email')
}
