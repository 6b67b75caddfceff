import type { PermissionRule } from '#shared/domain/access/permission-rule.ts'
import { isId } from '#shared/domain/id.ts'
import { unknownRules } from '#shared/domain/item-rules/rule-findings.ts'
import { conditionSizeErrors, listsOfConditions, readRuleIndexes } from '#shared/domain/item-rules/rule-indexes.ts'
import type { TokenRules } from '#shared/domain/item-rules/stored-rules.ts'
import { pathNameKey } from '#shared/domain/path-name.ts'
import type { ApiToken } from '#shared/domain/token/fields.ts'
import { type FieldError, validationFailed } from '#shared/errors.ts'
import type { Queries } from '../database.ts'
import { findListsByPathName, readIndexesOf, readPathNames } from '../lists/lists.ts'

/**
 * Rules as they are stored: with the ids of the lists that `listIds` names by path name, and the indexes that conditions name.
 * @throws VALIDATION_FAILED with the place of each path name that no list of the account has, and of each error in a condition
 */
export async function resolveRules(
  db: Queries,
  { accountId, rules }: { accountId: string; rules: readonly PermissionRule[] },
): Promise<TokenRules> {
  const permissions = await withListIds(db, { accountId, rules })
  const tooLarge = conditionSizeErrors(permissions, 'permissions')
  if (tooLarge.length > 0) throw validationFailed(tooLarge)
  const { indexes: ruleIndexes, errors } = await indexesOfConditions(db, { accountId, permissions })
  if (errors.length > 0) throw validationFailed(errors)
  return { permissions, ruleIndexes }
}

async function indexesOfConditions(
  db: Queries,
  { accountId, permissions }: { accountId: string; permissions: readonly PermissionRule[] },
): Promise<ReturnType<typeof readRuleIndexes>> {
  const ids = listsOfConditions(permissions)
  const lists = await readPathNames(db, { accountId, ids })
  const indexes = await readIndexesOf(db, { accountId, listIds: [...lists.keys()] })
  const byList = Map.groupBy(indexes, ({ listId }) => listId)
  return readRuleIndexes(
    permissions,
    (listId) => (lists.has(listId) ? (byList.get(listId) ?? []) : undefined),
    'permissions',
  )
}

/** The positions of a token's rules that are unknown, because an index is missing or has changed since they were saved. */
export async function findUnknownRules(db: Queries, token: ApiToken): Promise<number[]> {
  const { accountId, permissions } = token
  const ids = listsOfConditions(permissions)
  if (ids.length === 0) return []
  const lists = await readPathNames(db, { accountId, ids })
  const indexes = await readIndexesOf(db, { accountId, listIds: [...lists.keys()] })
  const byList = Map.groupBy(indexes, ({ listId }) => listId)
  return unknownRules(token, (listId) => (lists.has(listId) ? (byList.get(listId) ?? []) : undefined))
}

async function withListIds(
  db: Queries,
  { accountId, rules }: { accountId: string; rules: readonly PermissionRule[] },
): Promise<PermissionRule[]> {
  const keys = new Set(rules.flatMap(({ listIds = [] }) => listIds.filter(isName).map(pathNameKey)))
  if (keys.size === 0) return [...rules]
  const lists = await findListsByPathName(db, { accountId, keys: [...keys] })
  const ids = new Map(lists.map(({ id, pathName }) => [pathNameKey(pathName), id]))
  const errors: FieldError[] = []
  const resolved = rules.map((rule, position) => {
    if (!rule.listIds) return rule
    const listIds = rule.listIds.map((entry, n) => {
      if (!isName(entry)) return entry
      const id = ids.get(pathNameKey(entry))
      if (!id) errors.push({ path: `permissions.${position}.listIds.${n}`, message: 'is not the path name of a list' })
      return id ?? entry
    })
    return { ...rule, listIds: [...new Set(listIds)] }
  })
  if (errors.length > 0) throw validationFailed(errors)
  return resolved
}

const isName = (entry: string) => entry !== '*' && !isId(entry)

/** The maximum number of lists that a response names. */
const maxNamed = 2_000

/**
 * The path names of the lists that the rules of tokens name, by their ids. Only the first 2,000 ids are looked up; deleted lists
 * are absent.
 */
export async function pathNamesIn(
  db: Queries,
  { accountId, tokens }: { accountId: string; tokens: readonly ApiToken[] },
): Promise<Map<string, string>> {
  const named = new Set(tokens.flatMap(({ permissions }) => permissions.flatMap(({ listIds = [] }) => listIds)))
  const ids = [...named].filter(isId).slice(0, maxNamed)
  return readPathNames(db, { accountId, ids })
}
