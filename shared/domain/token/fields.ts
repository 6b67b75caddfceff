import type { RuleIndex } from '../access/rule-conditions.ts'
import type { Fields, ValuesOf } from '../fields/field.ts'
import { accountId, namedFields, ownFields } from '../fields/resource-fields.ts'
import { answer } from '../fields/values.ts'
import { maxTokenNetworks, maxTokenRate } from '../limits.ts'

const byRequest = ['create', 'update'] as const

const named = namedFields(byRequest)

/** The fields of an API token, without its value (contract 2.6). */
export const tokenFields = {
  ...ownFields,
  ...named,
  description: { ...named.description, filter: true },
  permissions: {
    kind: 'rules',
    write: byRequest,
    about: 'The rules that say what the token may do; the last rule that matches decides.',
  },
  ips: {
    kind: 'list',
    of: 'cidr',
    max: maxTokenNetworks,
    nullable: true,
    initial: null,
    write: byRequest,
    about: 'The networks that it may be used from; null: any.',
  },
  expiresAt: {
    kind: 'time',
    nullable: true,
    initial: null,
    write: byRequest,
    about: 'The time at which the token expires; null: never.',
  },
  rateLimit: {
    kind: 'integer',
    min: 1,
    max: maxTokenRate,
    nullable: true,
    initial: null,
    write: byRequest,
    about: 'The maximum number of requests per minute; null: the limit of the plan of the account.',
  },
  activated: { kind: 'flag', initial: true, write: byRequest, filter: true, about: 'Whether it may be used.' },
  locked: {
    kind: 'flag',
    initial: false,
    about: 'Set and unset by the operator on the command line; a locked token cannot be used.',
  },
  lastUsedAt: {
    kind: 'time',
    nullable: true,
    initial: null,
    about: 'The time of its last use, to the minute; null: never.',
  },
  accountId,
} as const satisfies Fields

/** An API token as the code represents it. */
export interface ApiToken extends ValuesOf<typeof tokenFields> {
  /** The indexes that conditions of its rules name. */
  ruleIndexes: readonly RuleIndex[]
}

/** An API token as clients see it. */
export const toTokenJson = answer(tokenFields)
