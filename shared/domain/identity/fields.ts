import type { Fields } from '../fields/field.ts'
import { ownFields } from '../fields/resource-fields.ts'
import { lengths, maxTags } from '../limits.ts'
import { groupFields } from './group-fields.ts'

const byRequest = ['create', 'update'] as const

/** The fields of an identity that everyone who may view it sees (contract 2.5). */
export const identityFields = {
  ...ownFields,
  name: {
    kind: 'text',
    min: 1,
    max: lengths.identityName,
    write: byRequest,
    filter: true,
    about: 'The name that it signs in with; unique in its group, ignoring case.',
  },
  displayName: {
    kind: 'text',
    min: 1,
    max: lengths.name,
    write: byRequest,
    filter: true,
    about: 'Shown next to its items; by default its name.',
  },
  group: {
    kind: 'text',
    max: lengths.group,
    rule: groupFields.name.rule,
    nullable: true,
    initial: null,
    write: ['create'],
    filter: true,
    about: "The name of its group; null: it is in the account's ungrouped space.",
  },
  tags: {
    kind: 'list',
    of: 'tag',
    max: maxTags,
    initial: [],
    write: byRequest,
    filter: true,
    about: 'Labels to filter by; stored in lower case, each once.',
  },
  lastLoginAt: { kind: 'time', nullable: true, initial: null, about: 'The time of its last sign-in; null: never.' },
  activated: { kind: 'flag', initial: true, write: byRequest, filter: true, about: 'Whether it may sign in.' },
} as const satisfies Fields

/** The fields that an identity sees of itself, and the account's user of every identity. */
export const ownIdentityFields = {
  ...identityFields,
  email: {
    kind: 'text',
    max: lengths.email,
    nullable: true,
    initial: null,
    write: byRequest,
    about: 'Unique in its group, ignoring case; changing it makes it unverified.',
  },
  emailVerified: {
    kind: 'flag',
    initial: false,
    write: byRequest,
    about: 'Whether the email is verified; only user mode may set it.',
  },
  hasPassword: { kind: 'flag', about: 'Whether it can sign in with a password.' },
  sessionCount: { kind: 'integer', min: 0, about: 'How many of its sessions are live.' },
} as const satisfies Fields
