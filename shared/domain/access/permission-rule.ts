import type { FieldError } from '../../errors.ts'
import { groupNamePattern, groupNameRule, isGroupName } from '../group-name.ts'
import { isId } from '../id.ts'
import { maxErrors, maxPermissionRules, maxSelectorIds } from '../limits.ts'
import { isPathName } from '../path-name.ts'
import { conditionErrors, conditionSchemas, type RuleConditions, tooManyConditional } from './rule-conditions.ts'

/** All actions that a token can be allowed (contract 3). */
export const actions = [
  'create', 'view', 'update', 'delete', 'restore', 'register', 'authenticate', 'reset-password', 'verify-email',
  'create-with-identity', 'view-with-identity', 'update-with-identity', 'delete-with-identity',
  'restore-with-identity', 'sync-schema', 'run', 'run-with-identity',
] as const // biome-ignore format: a list to be read as one
export type Action = (typeof actions)[number]

export const resourceTypes = ['list', 'item', 'index', 'identity', 'event', 'stats', 'flow'] as const
export type ResourceType = (typeof resourceTypes)[number]

/** An action on a type of resource, which a token's rules allow or block. */
export type Permission = { action: Action; resourceType: ResourceType }

/** The selectors of a rule, and the property of an access request that each is compared with. */
export const selectors = {
  listIds: 'listId',
  itemIds: 'itemId',
  indexIds: 'indexId',
  identityIds: 'identityId',
  groups: 'group',
  flowIds: 'flowId',
} as const
export type Selector = keyof typeof selectors

/** One rule as it is sent and stored. An absent selector, or one that contains `*`, selects everything. */
export type PermissionRule = {
  mode: 'allow' | 'block'
  action: Action | '*'
  resourceType?: ResourceType
} & { [name in Selector]?: string[] } & RuleConditions

/** One rule, as JSON Schema for the description of the API. */
const permissionRuleSchema = {
  type: 'object',
  properties: {
    mode: { enum: ['allow', 'block'], description: 'Whether the rule allows or blocks.' },
    action: {
      enum: ['*', ...actions],
      description: 'The action that it covers; `*`: every action.',
    },
    resourceType: {
      enum: resourceTypes,
      description: 'The type of resource that it covers; absent: every type.',
    },
    ...Object.fromEntries(Object.keys(selectors).map((name) => [name, selectorSchema(name)])),
    ...conditionSchemas,
  },
  required: ['mode', 'action'],
  additionalProperties: false,
} as const

/** The bounds of a token's rules, as JSON Schema of an array. */
export const permissionRulesSchema = { maxItems: maxPermissionRules, items: permissionRuleSchema } as const

function selectorSchema(name: string) {
  const covered = name === 'groups' ? 'names of groups' : name === 'listIds' ? 'ids or path names' : 'ids'
  const description = `The ${covered} that the rule covers; absent, or with \`*\`: all.`
  const items = { type: 'string', ...(name === 'groups' && { pattern: groupNamePattern }) }
  return { type: 'array', minItems: 1, maxItems: maxSelectorIds, items, description }
}

/** The rules of a token that may do everything. Some actions are not included in an allowing `*` and have to be named (contract 3). */
export const allowEverything: readonly PermissionRule[] = [
  { mode: 'allow', action: '*' },
  { mode: 'allow', action: 'reset-password' },
  { mode: 'allow', action: 'verify-email' },
]

/**
 * The errors in a token's `permissions` as sent: all, or at least `maxErrors` of them. Selectors must contain ids, and `listIds` may
 * contain path names. Any other text would match nothing, so a block rule would silently block nothing.
 * @param path of the array, dotted
 */
export function permissionErrors(value: unknown, path = 'permissions'): FieldError[] {
  if (!Array.isArray(value)) return [{ path, message: 'must be an array of rules' }]
  if (value.length > maxPermissionRules) return [{ path, message: `must have at most ${maxPermissionRules} rules` }]
  const errors = tooManyConditional(value, path)
  for (const [position, rule] of value.entries()) {
    if (errors.length >= maxErrors) break
    errors.push(...ruleErrors(rule, `${path}.${position}`))
  }
  return errors
}

function ruleErrors(rule: unknown, path: string): FieldError[] {
  if (typeof rule !== 'object' || rule === null || Array.isArray(rule)) return [{ path, message: 'must be an object' }]
  const errors = required
    .filter((name) => !Object.hasOwn(rule, name))
    .map((name) => fieldError(`${path}.${name}`, 'is required'))
  for (const [name, value] of Object.entries(rule)) {
    const check = checks.get(name)
    errors.push(...(check ? check(value, `${path}.${name}`) : [fieldError(`${path}.${name}`, 'is not allowed')]))
  }
  return [...errors, ...conditionErrors(rule, path)]
}

const required = ['mode', 'action']

type Check = (value: unknown, path: string) => FieldError[]

const checks: ReadonlyMap<string, Check> = new Map([
  ['mode', oneOf(['allow', 'block'])],
  ['action', oneOf(['*', ...actions])],
  ['resourceType', oneOf(resourceTypes)],
  ...Object.keys(selectors).map((name): [string, Check] => [name, checkOf(name)]),
  // Checked with the rest of the rule: see `conditionErrors`.
  ...Object.keys(conditionSchemas).map((name): [string, Check] => [name, () => []]),
])

function checkOf(selector: string): Check {
  if (selector === 'groups') return groupErrors
  return selector === 'listIds' ? listErrors : idErrors
}

function oneOf(values: readonly string[]): Check {
  return (value, path) =>
    typeof value === 'string' && values.includes(value) ? [] : [fieldError(path, `must be one of ${values.join(', ')}`)]
}

function idErrors(value: unknown, path: string): FieldError[] {
  return selectorErrors(value, path, (entry) =>
    entry === '*' || isId(entry) ? null : 'must be an id (a lower-case UUID) or *',
  )
}

/** Authors of rules may use path names. Ids are stored, because they stay the same when a list is renamed. */
function listErrors(value: unknown, path: string): FieldError[] {
  return selectorErrors(value, path, (entry) =>
    entry === '*' || isId(entry) || isPathName(entry) ? null : 'must be the id or the path name of a list, or *',
  )
}

/** `*` needs no exception: it has the form of a name. */
function groupErrors(value: unknown, path: string): FieldError[] {
  const message = `must be the name of an identity group, ${groupNameRule}, or *`
  return selectorErrors(value, path, (entry) => (isGroupName(entry) ? null : message))
}

function selectorErrors(value: unknown, path: string, wrong: (entry: string) => string | null): FieldError[] {
  if (!Array.isArray(value)) return [fieldError(path, 'must be an array')]
  if (value.length === 0) return [fieldError(path, 'must not be empty; leave it out to select everything')]
  if (value.length > maxSelectorIds) return [fieldError(path, `must have at most ${maxSelectorIds} entries`)]
  return value.flatMap((entry, position) => {
    const message = typeof entry === 'string' ? wrong(entry) : 'must be a string'
    return message ? [fieldError(`${path}.${position}`, message)] : []
  })
}

function fieldError(path: string, message: string): FieldError {
  return { path, message }
}
