import { parsePointer } from '#shared/json/pointer.ts'
import type { FieldError } from '../../errors.ts'
import { lengths, maxConditionalRules, maxRuleChanges } from '../limits.ts'

// Conditions narrow rules for items further than selectors: by the content of items, and by what a write changes. This file defines their
// form; `item-rules` evaluates them.

/** The conditions of a rule for items, as they are sent and stored. */
export type RuleConditions = {
  /** Conditions on the state of the item (contract 1.4). For an update without `becomes`, on the states before and after it. */
  where?: Record<string, unknown>
  /** For updates: conditions on the state after the update. */
  becomes?: Record<string, unknown>
  /**
   * For updates: JSON Pointers into the data, and names of fields. An allow rule covers updates that change nothing else; a block rule
   * covers updates that change any of them.
   */
  changes?: string[]
}

/** An index that conditions name, as it was when the rules were saved. If the index has changed since, all conditions of the rule are unknown. */
export type RuleIndex = {
  listId: string
  /** Its path name at that time, which conditions use. */
  name: string
  id: string
  valueType: string
  pointer: string
}

/** The fields of items, in addition to their data, that `changes` may name. */
export const changeableFields = ['tags', 'description', 'activated', 'version', 'readonly'] as const
export type ChangeableField = (typeof changeableFields)[number]

/** The actions on items that conditions can narrow, in addition to `*`. */
const itemActions: ReadonlySet<unknown> = new Set(
  ['create', 'view', 'update', 'delete', 'restore'].flatMap((action) => [action, `${action}-with-identity`]),
)
const updates: ReadonlySet<unknown> = new Set(['update', 'update-with-identity'])

export function hasConditions(rule: object): boolean {
  return conditionNames.some((name) => Object.hasOwn(rule, name))
}

const conditionNames = ['where', 'becomes', 'changes'] as const

/** The conditions as JSON Schema, for the description of the API. */
export const conditionSchemas = {
  where: {
    type: 'object',
    minProperties: 1,
    additionalProperties: true,
    description:
      'Only for items of named lists: the conditions that the item must meet, as in the parameter `where` of pages. Values such as `$identity.id` are those of the caller.',
  },
  becomes: {
    type: 'object',
    minProperties: 1,
    additionalProperties: true,
    description: 'Only for updates: the conditions that the item must meet after the update; absent: those of `where`.',
  },
  changes: {
    type: 'array',
    minItems: 1,
    maxItems: maxRuleChanges,
    items: { type: 'string', maxLength: lengths.pointer },
    description: `Only for updates: what an update may change (for a block: must not change), as JSON Pointers into the data and ${changeableFields.join(', ')}.`,
  },
} as const

/**
 * The errors of the conditions of a rule, except for the names and values of `where` and `becomes`, which depend on the lists.
 * @param path of the rule, dotted
 */
export function conditionErrors(rule: object, path: string): FieldError[] {
  const given = conditionNames.filter((name) => Object.hasOwn(rule, name))
  if (given.length === 0) return []
  const { where, becomes, changes, action } = rule as Record<string, unknown>
  return [
    ...given.flatMap((name) => placeErrors(rule, name, path)),
    ...(where === undefined ? [] : objectErrors(where, `${path}.where`)),
    ...(becomes === undefined ? [] : objectErrors(becomes, `${path}.becomes`)),
    ...(changes === undefined ? [] : changesErrors(changes, `${path}.changes`)),
    ...(['becomes', 'changes'] as const)
      .filter((name) => given.includes(name) && !updates.has(action))
      .map((name) => ({ path: `${path}.${name}`, message: 'needs the action update or update-with-identity' })),
  ]
}

function placeErrors(rule: object, name: string, parent: string): FieldError[] {
  const { resourceType, action, listIds } = rule as Record<string, unknown>
  const path = `${parent}.${name}`
  if (resourceType !== 'item') return [{ path, message: 'needs "resourceType": "item"' }]
  if (action !== '*' && !itemActions.has(action)) return [{ path, message: 'needs an action on items' }]
  const namesLists = Array.isArray(listIds) && listIds.length > 0 && !listIds.includes('*')
  return namesLists ? [] : [{ path, message: 'needs "listIds" with ids or path names of lists, without *' }]
}

function objectErrors(value: unknown, path: string): FieldError[] {
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    return [{ path, message: 'must be an object of conditions' }]
  return Object.keys(value).length > 0
    ? []
    : [{ path, message: 'must have a condition; leave it out for no conditions' }]
}

function changesErrors(value: unknown, path: string): FieldError[] {
  if (!Array.isArray(value)) return [{ path, message: 'must be an array' }]
  if (value.length === 0) return [{ path, message: 'must not be empty; leave it out to cover all changes' }]
  if (value.length > maxRuleChanges) return [{ path, message: `must have at most ${maxRuleChanges} entries` }]
  return value.flatMap((entry, n) => (isChange(entry) ? [] : [{ path: `${path}.${n}`, message: unknownChange }]))
}

const unknownChange = `must be a JSON Pointer such as /title, or one of ${changeableFields.join(', ')}`

function isChange(entry: unknown): boolean {
  if (typeof entry !== 'string' || entry.length > lengths.pointer) return false
  return parsePointer(entry) !== null || isChangeableField(entry)
}

export function isChangeableField(name: string): name is ChangeableField {
  return (changeableFields as readonly string[]).includes(name)
}

/** The error if too many rules have conditions. */
export function tooManyConditional(rules: readonly unknown[], path: string): FieldError[] {
  const conditional = rules.filter((rule) => typeof rule === 'object' && rule !== null && hasConditions(rule))
  if (conditional.length <= maxConditionalRules) return []
  return [
    {
      path,
      message: `must have at most ${maxConditionalRules} rules with conditions, and has ${conditional.length}`,
    },
  ]
}
