import type { Grant } from '../access/permissions.ts'
import { isoTime } from '../text/iso-time.ts'

/** The values of the caller that conditions of rules may use, with descriptions. */
export const callerValues = {
  '$identity.id': 'text',
  '$identity.name': 'text',
  '$identity.group': 'text',
  '$identity.tags': 'text',
  '$token.id': 'text',
  '$token.tags': 'text',
  $now: 'time',
} as const
export type CallerValue = keyof typeof callerValues

export const callerValueNames = Object.keys(callerValues) as readonly CallerValue[]

export function isCallerValue(text: string): text is CallerValue {
  return Object.hasOwn(callerValues, text)
}

/** The texts of a caller value; for tags, any of them matches. Null: it is not known, so that a condition on it is neither true nor false. */
export function operandsOf(
  { identity, tokenId, tokenTags, askedAt }: Grant,
  value: CallerValue,
): readonly string[] | null {
  switch (value) {
    case '$identity.id':
      return one(identity?.id)
    case '$identity.name':
      return one(identity?.name)
    case '$identity.group':
      // Conditions ignore case, but groups of different case are distinct.
      return identity?.groupIsAmbiguous ? null : one(identity?.groupName)
    case '$identity.tags':
      return identity?.tags ?? null
    case '$token.id':
      return one(tokenId)
    case '$token.tags':
      return tokenTags ?? null
    case '$now':
      return askedAt === undefined ? null : [isoTime(askedAt)]
  }
}

function one(text: string | null | undefined): readonly string[] | null {
  return text === null || text === undefined ? null : [text]
}
