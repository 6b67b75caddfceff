import {
  type Action,
  type PermissionRule,
  permissionErrors,
  type ResourceType,
  type Selector,
} from '#shared/domain/access/permission-rule.ts'
import { readRuleIndexes } from '#shared/domain/item-rules/rule-indexes.ts'
import type { ListIndex } from '#shared/domain/list/index-fields.ts'
import { actionsFor, selectorsFor } from '../lint.ts'
import { type ConditionRow, printRows, type Where } from './condition-rows.ts'

export type TextSelector = Exclude<Selector, 'listIds'>

/** The selectors that are edited as texts, with their labels. */
export const textSelectors: Readonly<Record<TextSelector, string>> = {
  itemIds: 'Items',
  indexIds: 'Indexes',
  flowIds: 'Flows',
  identityIds: 'Identities',
  groups: 'Groups',
}
const textNames = Object.keys(textSelectors) as TextSelector[]

/** Conditions being edited; `rows` null: they are unchanged, and sent as they were read. */
export type ConditionsDraft = { stored: Where | undefined; rows: readonly ConditionRow[] | null }

export type RuleDraft = {
  mode: 'allow' | 'block'
  type: ResourceType | ''
  actions: (Action | '*')[]
  listIds: string[]
  texts: Record<TextSelector, string>
  where: ConditionsDraft
  becomes: ConditionsDraft
  /** Entries of `changes`, one per line. */
  changes: string
}

export const allowedIn = (type: ResourceType | '') => ['*' as const, ...actionsFor(type || undefined)]
export const offeredIn = ({ type, actions }: RuleDraft) => selectorsFor(type || undefined, actions)

/** @param rule undefined: a new rule */
export function draftOf(rule: PermissionRule | undefined): RuleDraft {
  return {
    mode: rule?.mode ?? 'allow',
    type: rule ? (rule.resourceType ?? '') : 'item',
    actions: rule ? [rule.action] : [],
    listIds: rule?.listIds ?? [],
    texts: Object.fromEntries(textNames.map((name) => [name, rule?.[name]?.join(', ') ?? ''])) as RuleDraft['texts'],
    where: { stored: rule?.where, rows: null },
    becomes: { stored: rule?.becomes, rows: null },
    changes: rule?.changes?.map(toLine).join('\n') ?? '',
  }
}

const updates: ReadonlySet<Action | '*'> = new Set(['update', 'update-with-identity'])

/** Whether a rule can have conditions; `updates`: also on the state after an update. */
export function conditionsIn({ type, actions }: RuleDraft): { where: boolean; updates: boolean } {
  return { where: type === 'item', updates: type === 'item' && actions.some((action) => updates.has(action)) }
}

/**
 * One rule for each selected action, and their problem in the words of the API; `problem` null: there is none.
 * @param indexesOf the indexes of a list that the rules name; undefined: there is no such list
 */
export function rulesOf(
  draft: RuleDraft,
  indexesOf: (listId: string) => readonly ListIndex[] | undefined,
): { rules: PermissionRule[]; problem: string | null } {
  const has = conditionsIn(draft)
  const where = has.where ? conditionsOf(draft.where) : none
  const becomes = has.updates ? conditionsOf(draft.becomes) : none
  const plain = plainRules(draft)
  if ('problem' in where) return { rules: plain, problem: where.problem }
  if ('problem' in becomes) return { rules: plain, problem: becomes.problem }
  const changes = has.updates ? readLines(draft.changes) : []
  const rules = plain.map((rule) => ({
    ...rule,
    ...(where.where && { where: { ...where.where } }),
    ...(updates.has(rule.action) && becomes.where && { becomes: { ...becomes.where } }),
    ...(updates.has(rule.action) && changes.length > 0 && { changes }),
  }))
  if (rules.length === 0) return { rules, problem: 'Choose an action.' }
  const [error] = [...permissionErrors(rules), ...readRuleIndexes(rules, indexesOf, 'permissions').errors]
  return { rules, problem: error ? `${error.path.replace(/^\w+\.\d+\./, '')} ${error.message}` : null }
}

const none = { where: undefined }

/** An entry of `changes` as a line. As JSON if a plain line would be ambiguous: `""` means all data. */
export function toLine(entry: string): string {
  const isPlain = entry !== '' && entry === entry.trim() && !/^"|\n/.test(entry)
  return isPlain ? entry : JSON.stringify(entry)
}

function readLines(text: string): string[] {
  return text.split('\n').flatMap((line) => {
    const entry = line.trim()
    if (!entry.startsWith('"')) return entry || []
    try {
      return String(JSON.parse(entry))
    } catch {
      return entry
    }
  })
}

function conditionsOf({ stored, rows }: ConditionsDraft): ReturnType<typeof printRows> {
  return rows === null ? { where: stored } : printRows(rows)
}

function plainRules(draft: RuleDraft): PermissionRule[] {
  const { mode, type, actions, listIds, texts } = draft
  const chosen = (name: Selector) =>
    name === 'listIds' ? listIds : texts[name].split(',').flatMap((id) => id.trim() || [])
  const selected = Object.fromEntries(
    offeredIn(draft).flatMap((name) => (chosen(name).length > 0 ? [[name, chosen(name)]] : [])),
  )
  return actions.map((action) => ({ mode, action, ...(type !== '' && { resourceType: type }), ...selected }))
}
