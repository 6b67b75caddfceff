import type { IdentityGroup, IdentityGroupSettings } from '#client/src/types/user-resources.ts'
import { durationWords } from './duration.ts'

/** The settings of a group, all of them. */
export type GroupDraft = Required<IdentityGroupSettings>

/** What becomes of sessions and sign-ins that are there when a change is saved, a sentence each (contract 2.5). */
export function consequencesOf(group: IdentityGroup, changes: IdentityGroupSettings): string[] {
  const { sessionLifetimeSeconds: life, sessionIdleSeconds: idle, requireVerifiedEmail, requireEmail } = changes
  const reported: string[] = []
  if (life !== undefined && life < group.sessionLifetimeSeconds)
    reported.push(`Sessions that began more than ${durationWords(life)} ago end at once.`)
  if (life !== undefined && life > group.sessionLifetimeSeconds)
    reported.push('Sessions that are live now end when they would have ended.')
  if (idle && (group.sessionIdleSeconds === null || idle < group.sessionIdleSeconds))
    reported.push(`Sessions that were not used for ${durationWords(idle)} end at once.`)
  if (reported.some((text) => text.endsWith('at once.')))
    reported.push('No later change of the settings brings them back.')
  if (requireVerifiedEmail) reported.push('Identities whose e-mail is not verified cannot sign in any more.')
  if (requireEmail) reported.push('Nobody registers without an e-mail. Identities without one stay as they are.')
  if (changes.minPasswordLength !== undefined)
    reported.push('Passwords that are there stay valid: only new ones are checked.')
  return reported
}
