import type { PermissionRule } from '#shared/domain/access/permission-rule.ts'
import { isId } from '#shared/domain/id.ts'
import { pathNameKey } from '#shared/domain/path-name.ts'
import type { ApiToken } from '#shared/domain/token/fields.ts'
import { type FieldError, validationFailed } from '#shared/errors.ts'
import type { Queries } from '../database.ts'
import { findListsByPathName, readPathNames } from '../lists/lists.ts'

/**
 * Rules as they are stored: with the ids of the lists that `listIds` names by path name.
 * @throws VALIDATION_FAILED with the place of each path name that no list of the account has
 */
export async function withListIds(
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
      if (!id) errors.push({ path: `permissions.${position}.listIds.${n}`, message: 'is the path name of no list' })
      return id ?? entry
    })
    return { ...rule, listIds: [...new Set(listIds)] }
  })
  if (errors.length > 0) throw validationFailed(errors)
  return resolved
}

const isName = (entry: string) => entry !== '*' && !isId(entry)

/** How many lists an answer names at most. */
const maxNamed = 2_000

/** The path names of the lists that the rules of tokens name, by their ids: of those that there are, the first 2,000. */
export async function pathNamesIn(
  db: Queries,
  { accountId, tokens }: { accountId: string; tokens: readonly ApiToken[] },
): Promise<Map<string, string>> {
  const named = new Set(tokens.flatMap(({ permissions }) => permissions.flatMap(({ listIds = [] }) => listIds)))
  const ids = [...named].filter(isId).slice(0, maxNamed)
  return readPathNames(db, { accountId, ids })
}
