import { laterThan } from '../later-than.ts'
import type { Group, GroupBody, GroupSettings } from './group-fields.ts'
import { liveSince } from './session.ts'

/** Whether every identity of the group needs an email: a verified one is an email too. */
export function requiresEmail({ requireEmail, requireVerifiedEmail }: GroupSettings): boolean {
  return requireEmail || requireVerifiedEmail
}

/** A group with other settings. Sessions that have ended by the present ones stay ended, also when the others are longer. */
export function changedGroup(before: Group, settings: GroupBody, now: number): Group {
  const { createdAt: endedCreatedAt, lastUsedAt: endedLastUsedAt } = liveSince(before, now)
  return { ...before, ...settings, endedCreatedAt, endedLastUsedAt, updatedAt: laterThan(before, now) }
}
