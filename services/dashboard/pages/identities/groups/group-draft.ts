import type { IdentityGroup, IdentityGroupSettings } from '#client/src/types/user-resources.ts'
import { durationWords } from './duration.ts'

/** All settings of a group. */
export type GroupDraft = Required<IdentityGroupSettings>

/** What a change does to existing sessions, sign-ins, and identities, one sentence each (contract 2.5). */
export function consequencesOf(group: IdentityGroup, changes: IdentityGroupSettings): string[] {
  const { sessionLifetimeSeconds: life, sessionIdleSeconds: idle, requireVerifiedEmail, requireEmail } = changes
  const reported: string[] = []
  if (life !== undefined && life < group.sessionLifetimeSeconds)
    reported.push(`Sessions that began more than ${durationWords(life)} ago end immediately.`)
  if (life !== undefined && life > group.sessionLifetimeSeconds)
    reported.push('Active sessions keep their present end.')
  if (idle && (group.sessionIdleSeconds === null || idle < group.sessionIdleSeconds))
    reported.push(`Sessions not used for ${durationWords(idle)} end immediately.`)
  if (reported.some((text) => text.endsWith('immediately.')))
    reported.push('A later change of the settings does not restore them.')
  if (requireVerifiedEmail) reported.push('Identities without a verified e-mail can no longer sign in.')
  if (requireEmail) reported.push('Registration requires an e-mail. Existing identities without one are not changed.')
  if (changes.minPasswordLength !== undefined)
    reported.push('Existing passwords stay valid. Only new ones are checked.')
  return reported
}
