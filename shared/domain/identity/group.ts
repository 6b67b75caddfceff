import { laterThan } from '../later-than.ts'
import type { Group, GroupBody, GroupSettings } from './group-fields.ts'
import { liveSince } from './session.ts'

/** Whether every identity of the group needs an email: a verified one is an email too. */
export function requiresEmail({ requireEmail, requireVerifiedEmail }: GroupSettings): boolean {
  return requireEmail || requireVerifiedEmail
}

/**
 * A group with new settings. Sessions that have ended by the current settings stay ended, even if the new settings allow longer
 * ones.
 */
export function changedGroup(before: Group, settings: GroupBody, now: number): Group {
  const { createdAt: endedCreatedAt, lastUsedAt: endedLastUsedAt } = liveSince(before, now)
  return { ...before, ...settings, endedCreatedAt, endedLastUsedAt, updatedAt: laterThan(before, now) }
}
