import type { FieldError } from '#shared/errors.ts'
import { lengths, password } from '../limits.ts'

/** What a group requires of its identities, and how long they stay signed in (contract 2.5). */
export type GroupSettings = {
  sessionLifetimeSeconds: number
  /** A session ends when it has not been used for this long; null: it never ends for that. */
  sessionIdleSeconds: number | null
  requireEmail: boolean
  requireVerifiedEmail: boolean
  minPasswordLength: number
}

/** The settings of a group that was created by its first registration, and of the ungrouped space. */
export const defaultGroupSettings: GroupSettings = {
  sessionLifetimeSeconds: 7 * 86_400,
  sessionIdleSeconds: null,
  requireEmail: false,
  requireVerifiedEmail: false,
  minPasswordLength: password.minLength,
}

/**
 * A group's name, as a JSON Schema `pattern` too. Printable ASCII without outer spaces: the name is sent in a header, where
 * other characters do not arrive unchanged.
 */
export const groupNamePattern = `^[!-~](?:[ -~]{0,${lengths.group - 2}}[!-~])?$`
const groupName = new RegExp(groupNamePattern)

/** The errors of a group's name. Names are compared exactly. */
export function groupNameErrors(name: string, path: string): FieldError[] {
  if (groupName.test(name)) return []
  return [{ path, message: `must be 1 to ${lengths.group} printable ASCII characters without spaces at its ends` }]
}
