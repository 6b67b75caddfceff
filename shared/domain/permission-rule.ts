import type { Fault } from '../errors.ts'
import { isId } from './id.ts'
import { lengths, maxPermissionRules, maxSelectorIds } from './limits.ts'

/** Everything a token may be allowed to do (contract 3). */
export const actions = [
  'create', 'view', 'update', 'delete', 'restore', 'register', 'authenticate', 'reset-password', 'verify-email',
  'create-with-identity', 'view-with-identity', 'update-with-identity', 'delete-with-identity',
  'restore-with-identity', 'sync-schema', 'run', 'run-with-identity',
] as const // biome-ignore format: a list to be read as one
export type Action = (typeof actions)[number]

export const resourceTypes = ['list', 'item', 'index', 'identity', 'event', 'stats', 'flow'] as const
export type ResourceType = (typeof resourceTypes)[number]

/** The selectors of a rule, and the property of a question that each is held against. */
export const selectors = {
  listIds: 'listId',
  itemIds: 'itemId',
  indexIds: 'indexId',
  identityIds: 'identityId',
  groups: 'group',
  flowIds: 'flowId',
} as const
export type Selector = keyof typeof selectors

/** One rule as it is sent and stored. An absent selector, or one that holds `*`, selects everything. */
export type PermissionRule = {
  mode: 'allow' | 'block'
  action: Action | '*'
  resourceType?: ResourceType
} & { [name in Selector]?: string[] }

/** The rules of a token that may do everything: an allowing `*` leaves out what is always named (contract 3). */
export const allowEverything: readonly PermissionRule[] = [
  { mode: 'allow', action: '*' },
  { mode: 'allow', action: 'reset-password' },
  { mode: 'allow', action: 'verify-email' },
]

/**
 * Every fault of a token's `permissions` as they were sent.
 * Selectors must hold ids: a path name there would match nothing, and a block rule would silently block nothing.
 * @param path of the array, dotted
 */
export function permissionFaults(value: unknown, path = 'permissions'): Fault[] {
  if (!Array.isArray(value)) return [{ path, message: 'must be an array of rules' }]
  if (value.length > maxPermissionRules) return [{ path, message: `must hold at most ${maxPermissionRules} rules` }]
  return value.flatMap((rule, position) => ruleFaults(rule, `${path}.${position}`))
}

function ruleFaults(rule: unknown, path: string): Fault[] {
  if (typeof rule !== 'object' || rule === null || Array.isArray(rule)) return [{ path, message: 'must be an object' }]
  const faults = required
    .filter((name) => !Object.hasOwn(rule, name))
    .map((name) => fault(`${path}.${name}`, 'is required'))
  for (const [name, value] of Object.entries(rule)) {
    const check = checks.get(name)
    faults.push(
      ...(check ? check(value, `${path}.${name}`) : [fault(`${path}.${name}`, 'is not a property of a rule')]),
    )
  }
  return faults
}

const required = ['mode', 'action']

type Check = (value: unknown, path: string) => Fault[]

const checks: ReadonlyMap<string, Check> = new Map([
  ['mode', oneOf(['allow', 'block'])],
  ['action', oneOf(['*', ...actions])],
  ['resourceType', oneOf(resourceTypes)],
  ...Object.keys(selectors).map((name): [string, Check] => [name, name === 'groups' ? groupFaults : idFaults]),
])

function oneOf(values: readonly string[]): Check {
  return (value, path) =>
    typeof value === 'string' && values.includes(value) ? [] : [fault(path, `must be one of ${values.join(', ')}`)]
}

function idFaults(value: unknown, path: string): Fault[] {
  return selectorFaults(value, path, (entry) =>
    entry === '*' || isId(entry) ? null : 'must be an id (a lower-case UUID) or *',
  )
}

function groupFaults(value: unknown, path: string): Fault[] {
  const message = `must be the name of an identity group, 1 to ${lengths.group} characters, or *`
  return selectorFaults(value, path, (entry) => (entry !== '' && entry.length <= lengths.group ? null : message))
}

function selectorFaults(value: unknown, path: string, wrong: (entry: string) => string | null): Fault[] {
  if (!Array.isArray(value)) return [fault(path, 'must be an array')]
  if (value.length === 0) return [fault(path, 'must not be empty; leave it out to select everything')]
  if (value.length > maxSelectorIds) return [fault(path, `must hold at most ${maxSelectorIds} entries`)]
  return value.flatMap((entry, position) => {
    const message = typeof entry === 'string' ? wrong(entry) : 'must be a string'
    return message ? [fault(`${path}.${position}`, message)] : []
  })
}

function fault(path: string, message: string): Fault {
  return { path, message }
}
