import type { TokenPrincipal } from '#services/gateway/request/principal.ts'
import { compilePermissions } from '#shared/domain/access/compiled-rules.ts'
import type { PermissionRule } from '#shared/domain/access/permission-rule.ts'
import type { RuledList } from '#shared/domain/item-rules/bound-rules.ts'
import { readRuleIndexes } from '#shared/domain/item-rules/rule-indexes.ts'
import type { ListIndex } from '#shared/domain/list/index-fields.ts'
import {
  type At,
  hasArrays,
  indexesOf,
  type Name,
  names,
  oneOf,
  sourcesOf,
} from '../databases/questions/random-values.ts'

// Random rules with conditions, about the items of `random-values.ts`, and random callers.

export const [ada, bob] = ['ada', 'bob'].map(
  (name) => `0000000a-0000-7000-8000-${name.padStart(12, '0').replace(/[^0-9a-f]/g, '0')}`,
) as [string, string]

/** A list with the indexes of `random-values.ts`, all with filtering. */
export function ruledList(at: At): RuledList {
  const filtering = (index: ListIndex, n: number): ListIndex => {
    const arrays = hasArrays(names[n] as Name)
    return { ...index, filtering: true, buildStatus: 'ready', arrays }
  }
  return { id: at.listId, indexes: indexesOf(at).map(filtering) }
}

type Conditions = Record<string, unknown>

function randomConditions(random: () => number, levels = 3): Conditions {
  const roll = random()
  if (levels === 0 || roll < 0.4) return randomCondition(random)
  if (roll < 0.55) return { not: randomConditions(random, levels - 1) }
  const of = Array.from({ length: 1 + Math.floor(random() * 2) }, () => randomConditions(random, levels - 1))
  return roll < 0.8 ? { or: of } : { and: of }
}

const ofTexts = ['$identity.id', '$identity.name', '$identity.group', '$identity.tags', '$token.id', '$token.tags']
const onFields: Conditions[] = [
  { tagged: 'red' },
  { tagged: 'null' },
  { tagged: 'in:$identity.tags' },
  { tagged: 'not:eq:$token.tags' },
  { tagged: 'eq:$identity.group' },
  { createdAt: 'before:1970-01-01T00:00:00.004Z' },
  { updatedAt: 'after:$now' },
  { readonly: true },
  { size: 'gte:3' },
]

function randomCondition(random: () => number): Conditions {
  if (random() < 0.25) return oneOf(random, onFields)
  const name = oneOf(random, names)
  const not = random() < 0.2 ? 'not:' : ''
  if (random() < 0.4 && (name === 'title' || name === 'labels'))
    return { [name]: `${not}${oneOf(random, ['eq:', 'in:'])}${oneOf(random, ofTexts)}` }
  if (random() < 0.4 && name === 'at') return { at: `${not}${oneOf(random, ['before:', 'after:'])}$now` }
  return { [name]: not + (random() < 0.15 ? 'null' : oneOf(random, sourcesOf(name))) }
}

const actions = ['view', 'view', 'view', 'view-with-identity', 'update', 'update-with-identity', '*'] as const

function randomRule(random: () => number, at: At, itemIds: readonly string[]): PermissionRule {
  const action = oneOf(random, actions)
  const isUpdate = action.startsWith('update')
  const named = random() < 0.2 ? { itemIds: Array.from({ length: 3 }, () => oneOf(random, itemIds)) } : {}
  return {
    mode: random() < 0.65 ? 'allow' : 'block',
    action,
    resourceType: 'item',
    listIds: [at.listId],
    ...named,
    ...(random() < 0.8 && { where: randomConditions(random) }),
    ...(isUpdate && random() < 0.3 && { changes: ['/title'] }),
  }
}

/** Rules with conditions, and a caller; sometimes one of the indexes has changed since they were saved. */
export function randomCaller(random: () => number, at: At, itemIds: readonly string[]): TokenPrincipal {
  const list = ruledList(at)
  const rules = Array.from({ length: 1 + Math.floor(random() * 4) }, () => randomRule(random, at, itemIds))
  const { indexes, errors } = readRuleIndexes(rules, () => list.indexes, 'permissions')
  if (errors.length > 0) throw new Error(JSON.stringify({ errors, rules }))
  const changed = random() < 0.1 ? oneOf(random, names) : null
  const saved = indexes.map((index) => (index.name === changed ? { ...index, pointer: '/before' } : index))
  const identity = oneOf(random, [null, ...identities])
  return {
    mode: 'token',
    accountId: at.accountId,
    limits: null,
    rates: null,
    tokenId: oneOf(random, ['soup', 'some token']),
    tokenTags: oneOf(random, [[], ['red'], ['soup', 'pie', 'green']]),
    askedAt: oneOf(random, [Date.parse('2026-03-01'), 14]),
    perMinute: null,
    permissions: compilePermissions(rules, saved),
    identity,
    actor: { authMode: 'token', tokenId: 't', identityId: identity?.id ?? null },
  }
}

const somebody = { displayName: 'Somebody', groupIsAmbiguous: false }
const identities = [
  { ...somebody, id: ada, name: 'Soup', groupName: 'PIE', tags: ['red', 'pie'] },
  { ...somebody, id: bob, name: 'nobody', groupName: null, tags: [] },
  { ...somebody, id: bob, name: 'éclair', groupName: 'pie', groupIsAmbiguous: true, tags: ['green'] },
]
