import type { FieldError } from '#shared/errors.ts'
import { type Group, type GroupBody, type GroupSettings, groupFields, groupNamePattern } from './group-fields.ts'
import { liveSince } from './session.ts'

const groupName = new RegExp(groupNamePattern)

/** The errors of a group's name. Names are compared exactly. */
export function groupNameErrors(name: string, path: string): FieldError[] {
  if (groupName.test(name)) return []
  return [{ path, message: groupFields.name.rule.message }]
}

/** Whether every identity of the group needs an email: a verified one is an email too. */
export function requiresEmail({ requireEmail, requireVerifiedEmail }: GroupSettings): boolean {
  return requireEmail || requireVerifiedEmail
}

/** A group with other settings. Sessions that have ended by the present ones stay ended, also when the others are longer. */
export function changedGroup(before: Group, settings: GroupBody, now: number): Group {
  const { createdAt: endedCreatedAt, lastUsedAt: endedLastUsedAt } = liveSince(before, now)
  return { ...before, ...settings, endedCreatedAt, endedLastUsedAt, updatedAt: now }
}
