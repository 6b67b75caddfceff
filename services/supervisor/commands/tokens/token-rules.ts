import type { Queries } from '#shared/data/database.ts'
import { pathNamesIn } from '#shared/data/tokens/rule-lists.ts'
import { writeToken } from '#shared/data/tokens/tokens.ts'
import type { PermissionRule } from '#shared/domain/access/permission-rule.ts'
import { laterThan } from '#shared/domain/later-than.ts'
import type { ApiToken } from '#shared/domain/token/fields.ts'
import { canonicalJson } from '#shared/json/canonical.ts'
import { readJsonText } from '../../remote/document-file.ts'
import { formatJson, printable } from '../../terminal/listing.ts'
import type { Terminal } from '../../terminal/terminal.ts'
import { chooseAccount, withSchema } from '../database/database.ts'
import { changeToken, getToken, type OneToken } from './change-token.ts'
import { renderRuleChanges, ruleChanges } from './rule-changes.ts'
import { resolvedRules, validRules } from './valid-rules.ts'

/**
 * `listd token rules`: prints the rules of a token in the form of the API, with the path names of lists, or sets the rules from a file
 * and reports the changes (contract 2.6). Setting rules again binds them to the current indexes of their lists.
 */
export async function tokenRulesCommand(terminal: Terminal, options: OneToken & { set?: string }): Promise<void> {
  return options.set === undefined ? printRules(terminal, options) : setRules(terminal, options, options.set)
}

async function printRules(terminal: Terminal, options: OneToken): Promise<void> {
  await withSchema(terminal, async ({ db }) => {
    const account = await chooseAccount(db, options.account)
    const token = await getToken(db, { account, ref: options.token })
    terminal.stdout.write(formatJson(await withPathNames(db, token)))
  })
}

async function setRules(terminal: Terminal, options: OneToken, file: string): Promise<void> {
  const rules = validRules(JSON.parse(await readJsonText(file)), 'rules')
  let report: string[] | null = null
  await changeToken(terminal, options, {
    type: 'token-updated',
    said({ name }, notified) {
      if (!report) return `The token "${name}" already has these rules; nothing was changed.\n`
      return `${report.join('\n')}\nThe token "${name}" now has the rules of ${file}; ${notified}\n`
    },
    async write(tx, before, now) {
      const { accountId } = before
      const after = { ...before, ...(await resolvedRules(tx, { accountId, rules, path: 'rules' })) }
      if (stored(before) === stored(after)) return null
      const changes = ruleChanges(await withPathNames(tx, before), await withPathNames(tx, after))
      const lines = renderRuleChanges(changes).map(printable)
      report =
        lines.length > 0 ? lines : ['The rules are the same, and were bound again to the indexes that they name.']
      const token = { ...after, updatedAt: laterThan(before, now) }
      await writeToken(tx, token)
      return { token }
    },
  })
}

function stored({ permissions, ruleIndexes }: ApiToken): string {
  const indexes = ruleIndexes.map((index) => canonicalJson(index)).sort()
  return canonicalJson([permissions, indexes])
}

/** Path names are the same in another installation; a deleted list keeps its id. */
async function withPathNames(db: Queries, token: ApiToken): Promise<PermissionRule[]> {
  const names = await pathNamesIn(db, { accountId: token.accountId, tokens: [token] })
  return token.permissions.map((rule) =>
    rule.listIds ? { ...rule, listIds: rule.listIds.map((id) => names.get(id) ?? id) } : rule,
  )
}
