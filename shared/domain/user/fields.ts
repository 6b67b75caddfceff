import type { Fields, ValuesOf } from '../fields/field.ts'
import { accountId, ownFields } from '../fields/resource-fields.ts'
import { answer } from '../fields/values.ts'
import { lengths } from '../limits.ts'

/** The fields of a user, without the password (contract 2.6). */
export const userFields = {
  ...ownFields,
  email: { kind: 'text', max: lengths.email, write: ['update'], about: 'Signs the user in, ignoring case.' },
  displayName: {
    kind: 'text',
    min: 1,
    max: lengths.name,
    nullable: true,
    initial: null,
    write: ['update'],
    about: 'Shown to people; null: the user has set none.',
  },
  lastLoginAt: { kind: 'time', nullable: true, initial: null, about: 'The time of the last sign-in; null: never.' },
  accountId,
} as const satisfies Fields

/** Someone who signs in to the dashboard and may do everything in the account (contract 1.2), as the code represents it. */
export interface User extends ValuesOf<typeof userFields> {}

/** A user as clients see it. */
export const toUserJson = answer(userFields)
