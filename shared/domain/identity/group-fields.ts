import type { Fields, ValuesIn, ValuesOf } from '../fields/field.ts'
import { accountId, ownFields } from '../fields/resource-fields.ts'
import { initialValues } from '../fields/values.ts'
import { lengths, maxSessionSeconds, password } from '../limits.ts'

const byRequest = ['create', 'update'] as const

/**
 * A group's name, as a JSON Schema `pattern` too. Printable ASCII without outer spaces: the name is sent in a header, where
 * other characters do not arrive unchanged.
 */
export const groupNamePattern = `^[!-~](?:[ -~]{0,${lengths.group - 2}}[!-~])?$`

/** The fields of a group of identities (contract 2.5). A group that its first registration makes has the initial settings. */
export const groupFields = {
  ...ownFields,
  name: {
    kind: 'text',
    min: 1,
    max: lengths.group,
    rule: {
      pattern: groupNamePattern,
      message: `must be 1 to ${lengths.group} printable ASCII characters without spaces at its ends`,
    },
    write: ['create'],
    about: 'Addresses the group, exactly as it is written.',
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
    about: 'A session ends when it has not been used for this long; null: it never ends for that.',
  },
  requireEmail: { kind: 'flag', initial: false, write: byRequest, about: 'Whether a registration must give an email.' },
  requireVerifiedEmail: {
    kind: 'flag',
    initial: false,
    write: byRequest,
    about: 'Whether only identities whose email is verified may log in.',
  },
  minPasswordLength: {
    kind: 'integer',
    min: password.minLength,
    max: password.maxLength,
    initial: password.minLength,
    write: byRequest,
    about: 'The fewest characters of a new password.',
  },
  accountId,
} as const satisfies Fields

/** A group as the code holds it. */
export interface Group extends ValuesOf<typeof groupFields> {}

/** What a group requires of its identities, and how long they stay signed in. */
export type GroupSettings = Required<ValuesIn<typeof groupFields, 'update'>>

/** The settings of a group that was created by its first registration, and of the ungrouped space. */
export const defaultGroupSettings: GroupSettings = initialValues(groupFields)
