import type { Database } from '#shared/data/database.ts'
import { schemaStatus } from '#shared/data/migrate.ts'
import { readTokensWithStars } from '#shared/data/tokens/tokens.ts'
import { narrowedRules } from '#shared/domain/access/narrowed-rules.ts'
import type { ApiToken } from '#shared/domain/token/fields.ts'
import { type Check, type CheckResult, note, ok } from './check.ts'
import { notChecked, onDatabase } from './on-database.ts'

/** Whether rules of tokens mean what they meant in the previous version: an upgrade removes rights from some. */
export const rules: Check = {
  name: 'rules of tokens',
  run: (context) => onDatabase(context, checkStored, { none: [none], unusable: () => [notChecked()] }),
}

const none = ok('there is no database yet')
const pageSize = 500
const maxNamed = 10

async function checkStored(db: Database): Promise<CheckResult[]> {
  const { version, state } = await schemaStatus(db)
  if (version === 0) return [none]
  if (state !== 'fits') return [note('not checked: this version does not support the schema', 'see above')]
  const found: ApiToken[] = []
  for (let after: string | undefined = ''; after !== undefined; ) {
    const tokens: ApiToken[] = await readTokensWithStars(db, { after, limit: pageSize })
    found.push(...tokens.filter(({ permissions }) => narrowedRules(permissions).length > 0))
    after = tokens.length === pageSize ? tokens.at(-1)?.id : undefined
  }
  return checkRules(found)
}

/** @param tokens tokens with rules that cover less than before */
export function checkRules(tokens: readonly Pick<ApiToken, 'id' | 'name' | 'permissions'>[]): CheckResult[] {
  if (tokens.length === 0) return [ok('no rule covers less than before')]
  const named = tokens.slice(0, maxNamed).map(({ id, name, permissions }) => {
    const positions = narrowedRules(permissions).map((position) => position + 1)
    return `${name} (${id}: rule ${positions.join(', ')})`
  })
  const more = tokens.length > maxNamed ? ` and ${tokens.length - maxNamed} more` : ''
  const message = `allow rules with "*" in a selector cover only resources with such an id: ${named.join('; ')}${more}`
  return [note(message, 'set resourceType in each such rule, or omit the selector if the rule should cover everything')]
}
