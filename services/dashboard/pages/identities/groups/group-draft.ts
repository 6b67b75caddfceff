import type { IdentityGroup, IdentityGroupSettings } from '#client/src/types/user-resources.ts'
import { durationWords } from './duration.ts'

/** The settings of a group, all of them. */
export type GroupDraft = Required<IdentityGroupSettings>

/** What becomes of sessions and sign-ins that are there when a change is saved, a sentence each (contract 2.5). */
export function consequencesOf(group: IdentityGroup, changes: IdentityGroupSettings): string[] {
  const { sessionLifetimeSeconds: life, sessionIdleSeconds: idle, requireVerifiedEmail, requireEmail } = changes
  const told: string[] = []
  if (life !== undefined && life < group.sessionLifetimeSeconds)
    told.push(`Sessions that began more than ${durationWords(life)} ago end at once.`)
  if (life !== undefined && life > group.sessionLifetimeSeconds)
    told.push('Sessions that are live now end when they would have ended.')
  if (idle && (group.sessionIdleSeconds === null || idle < group.sessionIdleSeconds))
    told.push(`Sessions that were not used for ${durationWords(idle)} end at once.`)
  if (told.some((text) => text.endsWith('at once.'))) told.push('No later change of the settings brings them back.')
  if (requireVerifiedEmail) told.push('Identities whose e-mail is not verified cannot sign in any more.')
  if (requireEmail) told.push('Nobody registers without an e-mail. Identities without one stay as they are.')
  if (changes.minPasswordLength !== undefined)
    told.push('Passwords that are there stay valid: only new ones are checked.')
  return told
}
