import type { Database } from '#shared/data/database.ts'
import { hasAmbiguousGroups } from '#shared/data/identities/identity-groups.ts'
import { schemaStatus } from '#shared/data/migrate.ts'
import { findUnknownRules } from '#shared/data/tokens/rule-lists.ts'
import { type ConditionalToken, readConditionalTokens } from '#shared/data/tokens/tokens.ts'
import { rulesNaming } from '#shared/domain/item-rules/rule-findings.ts'
import { type Check, type CheckResult, note, ok } from './check.ts'
import { notChecked, onDatabase } from './on-database.ts'

/** Whether rules with conditions still mean what they meant when they were saved, and what may surprise their author. */
export const conditionalRules: Check = {
  name: 'rules with conditions',
  run: (context) => onDatabase(context, checkStored, { none: [none], unusable: () => [notChecked()] }),
}

const none = ok('there is no database yet')
const pageSize = 100
const maxNamed = 10

async function checkStored(db: Database): Promise<CheckResult[]> {
  const { version, state } = await schemaStatus(db)
  if (version === 0) return [none]
  if (state !== 'fits') return [note('not checked: this version does not support the schema', 'see above')]
  const found: Found = { overwritten: [], unknown: [], byName: [], byGroup: [] }
  for (let after: string | undefined = ''; after !== undefined; ) {
    const tokens: ConditionalToken[] = await readConditionalTokens(db, { after, limit: pageSize })
    for (const token of tokens) await addFindings(db, token, found)
    after = tokens.length === pageSize ? tokens.at(-1)?.token.id : undefined
  }
  return reportOf(found)
}

/** The affected tokens, each as text, by finding. */
export type Found = { overwritten: string[]; unknown: string[]; byName: string[]; byGroup: string[] }

async function addFindings(db: Database, { token, isOverwritten }: ConditionalToken, found: Found): Promise<void> {
  const { id, name, accountId } = token
  const named = (positions: readonly number[]) => {
    const rules = positions.map((position) => position + 1)
    return `${name} (${[id, ...(rules.length > 0 ? [`rule ${rules.join(', ')}`] : [])].join(': ')})`
  }
  if (isOverwritten) {
    found.overwritten.push(named([]))
    return
  }
  const unknown = await findUnknownRules(db, token)
  if (unknown.length > 0) found.unknown.push(named(unknown))
  const byName = rulesNaming(token, '$identity.name')
  if (byName.length > 0) found.byName.push(named(byName))
  const byGroup = rulesNaming(token, '$identity.group')
  if (byGroup.length > 0 && (await hasAmbiguousGroups(db, accountId))) found.byGroup.push(named(byGroup))
}

/** The results for the findings. */
export function reportOf({ overwritten, unknown, byName, byGroup }: Found): CheckResult[] {
  const notes = [
    [overwritten, 'a process of version 0.2 replaced conditional rules with rules without conditions:', 'save the rules again'],
    [unknown, 'an index has changed, so rules allow nothing or block everything they select:', 'correct the index, or save the rules again'],
    [byName, 'rules compare $identity.name, which identities can change themselves:', 'compare $identity.id, unless you assign the names'],
    [byGroup, 'some groups differ only in case, so rules cannot use $identity.group:', 'use group names that differ in more than case'],
  ] as const // biome-ignore format: a table
  const found = notes.filter(([tokens]) => tokens.length > 0)
  if (found.length === 0) return [ok('all mean the same as when they were saved')]
  return found.map(([tokens, message, fix]) => {
    const more = tokens.length > maxNamed ? ` and ${tokens.length - maxNamed} more` : ''
    return note(`${message} ${tokens.slice(0, maxNamed).join('; ')}${more}`, fix)
  })
}
