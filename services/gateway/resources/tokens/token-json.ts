import type { Queries } from '#shared/data/database.ts'
import { findUnknownRules, pathNamesIn } from '#shared/data/tokens/rule-lists.ts'
import { type ApiToken, toTokenJson } from '#shared/domain/token/fields.ts'

/** A token as users see it: with the path names of the lists that its rules name, and the positions of rules that have become unknown. */
export async function shownToken(db: Queries, token: ApiToken) {
  const toJson = await withPathNames(db, token, [token])
  const unknownRules = await findUnknownRules(db, token)
  return { ...toJson(token), ...(unknownRules.length > 0 && { unknownRules }) }
}

/**
 * Reads the path names of the lists that the rules of these tokens name.
 * @returns a function that adds them to one of the tokens, as users see it
 */
export async function withPathNames(
  db: Queries,
  { accountId }: { accountId: string },
  tokens: readonly ApiToken[],
): Promise<(token: ApiToken) => ReturnType<typeof toTokenJson> & { lists: Record<string, string> }> {
  const pathNames = await pathNamesIn(db, { accountId, tokens })
  return (token) => {
    const named = new Set(token.permissions.flatMap(({ listIds = [] }) => listIds))
    const lists = Object.fromEntries([...pathNames].filter(([id]) => named.has(id)))
    return { ...toTokenJson(token), lists }
  }
}
