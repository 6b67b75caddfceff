/** The fields that an identity changes of itself (contract 2.5), in normal form; `email` null removes the address. */
export type OwnChange = { name?: string; displayName?: string; email?: string | null; password?: string }

/** Whether a change of these fields requires the current password (contract 2.5). */
export function needsCurrentPassword(changed: readonly string[]): boolean {
  return changed.includes('password') || changed.includes('email')
}
