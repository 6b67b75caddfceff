import type { Fields, ValuesIn, ValuesOf } from '../fields/field.ts'
import { accountId, ownFields } from '../fields/resource-fields.ts'
import { answer, initialValues } from '../fields/values.ts'
import { groupNamePattern, groupNameRule } from '../group-name.ts'
import { lengths, maxSessionSeconds, password } from '../limits.ts'

const byRequest = ['create', 'update'] as const

/** The fields of a group of identities (contract 2.5). A group that its first registration creates has the initial settings. */
export const groupFields = {
  ...ownFields,
  name: {
    kind: 'text',
    min: 1,
    max: lengths.group,
    rule: {
      pattern: groupNamePattern,
      message: `must be ${groupNameRule}`,
    },
    write: ['create'],
    filter: true,
    about: 'Addresses the group; case matters, and it cannot be changed.',
  },
  sessionLifetimeSeconds: {
    kind: 'integer',
    min: 1,
    max: maxSessionSeconds,
    initial: 7 * 86_400,
    write: byRequest,
    about: 'How long its identities stay signed in.',
  },
  sessionIdleSeconds: {
    kind: 'integer',
    min: 1,
    max: maxSessionSeconds,
    nullable: true,
    initial: null,
    write: byRequest,
    about: 'A session ends when it has not been used for this long; null: it never ends for this reason.',
  },
  requireEmail: { kind: 'flag', initial: false, write: byRequest, about: 'Whether registration requires an email.' },
  requireVerifiedEmail: {
    kind: 'flag',
    initial: false,
    write: byRequest,
    about: 'Whether only identities with a verified email may sign in.',
  },
  minPasswordLength: {
    kind: 'integer',
    min: password.minLength,
    max: password.maxLength,
    initial: password.minLength,
    write: byRequest,
    about: 'The minimum number of characters in a new password.',
  },
  accountId,
  endedCreatedAt: {
    kind: 'integer',
    initial: 0,
    hidden: true,
    about:
      'Sessions that began at or before this time (epoch milliseconds) have ended, regardless of the current settings.',
  },
  endedLastUsedAt: {
    kind: 'integer',
    initial: 0,
    hidden: true,
    about:
      'Sessions last used at or before this time (epoch milliseconds) have ended, regardless of the current settings.',
  },
} as const satisfies Fields

/** A group as the code represents it. */
export interface Group extends ValuesOf<typeof groupFields> {}

/** The fields of a group that a request may set. */
export type GroupBody = ValuesIn<typeof groupFields, 'update'>

/**
 * The requirements of a group for its identities, how long they stay signed in, when these settings changed, and which sessions
 * have ended for good.
 */
export type GroupSettings = Required<GroupBody> & Pick<Group, 'updatedAt' | 'endedCreatedAt' | 'endedLastUsedAt'>

/** The settings of a group that was created by its first registration, and of the ungrouped space. */
export const defaultGroupSettings: GroupSettings = { ...initialValues(groupFields), updatedAt: 0 }

/** A new group; settings that are not given have their initial values. */
export function newGroup(of: Pick<Group, 'id' | 'accountId' | 'name'>, settings: GroupBody, now: number): Group {
  return { ...of, ...defaultGroupSettings, ...settings, createdAt: now, updatedAt: now }
}

/** A group as clients see it. */
export const toGroupJson = answer(groupFields)
