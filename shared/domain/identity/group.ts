import type { Fault } from '#shared/errors.ts'
import { lengths, password } from '../limits.ts'

/** What a group asks of its identities, and how long they stay signed in (contract 2.5). */
export type GroupSettings = {
  sessionLifetimeSeconds: number
  /** A session that is not used for so long ends; null: none ends for that. */
  sessionIdleSeconds: number | null
  requireEmail: boolean
  requireVerifiedEmail: boolean
  minPasswordLength: number
}

/** Those of a group that came into being with its first registration, and of the ungrouped space. */
export const defaultGroupSettings: GroupSettings = {
  sessionLifetimeSeconds: 7 * 86_400,
  sessionIdleSeconds: null,
  requireEmail: false,
  requireVerifiedEmail: false,
  minPasswordLength: password.minLength,
}

/** Printable ASCII without outer spaces: the name travels in a header, where nothing else arrives as it was sent. */
const form = new RegExp(`^[!-~](?:[ -~]{0,${lengths.group - 2}}[!-~])?$`)

/** What is wrong with the name of a group. Names are compared exactly. */
export function groupNameFaults(name: string, path: string): Fault[] {
  if (form.test(name)) return []
  return [{ path, message: `must be 1 to ${lengths.group} printable ASCII characters without spaces at its ends` }]
}
