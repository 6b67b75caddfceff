import type { CompiledRule, ConditionalRule, Holds } from '../access/compiled-rules.ts'
import type { Grant } from '../access/permissions.ts'
import type { RuleIndex } from '../access/rule-conditions.ts'
import type { Item } from '../item/item.ts'
import { type ParsedItem, passesQuestion } from '../item/questions/passes-question.ts'
import type { ListIndex } from '../list/index-fields.ts'
import { indexKey } from '../list/index-names.ts'
import { servesRules } from '../list/serves-rules.ts'
import { type Folded, type Forms, formsOf, unknown } from './fold.ts'
import { type ItemChanges, liesWithin, touches } from './item-changes.ts'
import { type RuleQuestion, readRuleQuestion } from './rule-question.ts'

/** The parts of a list that its rules need. Each change of its settings creates a new array of indexes. */
export type RuledList = { id: string; indexes: readonly ListIndex[] }

/** The conditions of a rule, read for one list; null: it has none. */
type Bound = { where: RuleQuestion | null; becomes: RuleQuestion | null }

const bound = new WeakMap<CompiledRule, WeakMap<readonly ListIndex[], Bound | null>>()

/**
 * The conditions of a rule for the current indexes of a list, parsed once per version of the token and of the list's settings. Null: an
 * index is missing or has changed since the rules were saved, so the rule is unknown.
 */
export function boundTo(rule: ConditionalRule, list: RuledList): Bound | null {
  const ofRule = bound.get(rule) ?? new WeakMap<readonly ListIndex[], Bound | null>()
  bound.set(rule, ofRule)
  const known = ofRule.get(list.indexes)
  if (known !== undefined) return known
  const boundRule = bind(rule, list)
  ofRule.set(list.indexes, boundRule)
  return boundRule
}

function bind({ conditions: { where, becomes, indexes } }: ConditionalRule, list: RuledList): Bound | null {
  const read = (conditions: unknown) =>
    conditions === undefined ? null : readRuleQuestion(conditions, '', (name) => savedIndex(indexes, list, name))
  const [ofWhere, ofBecomes] = [read(where), read(becomes)]
  if ((ofWhere && 'errors' in ofWhere) || (ofBecomes && 'errors' in ofBecomes)) return null
  return { where: ofWhere?.question ?? null, becomes: ofBecomes?.question ?? null }
}

function savedIndex(saved: readonly RuleIndex[], list: RuledList, name: string): ListIndex | { error: string } {
  const then = saved.find((index) => index.listId === list.id && index.name === indexKey(name))
  const now = list.indexes.find(({ id }) => id === then?.id)
  return then && now && servesRules(now) && isSame(then, now) ? now : { error: 'has changed' }
}

function isSame(then: RuleIndex, { valueType, pointer }: ListIndex): boolean {
  return then.valueType === valueType && then.pointer === pointer
}

/** A state of an item in a list. Its data is parsed only if a condition needs it. */
export type ItemState = { list: RuledList; item: Item }

/** A state that rules are checked on. */
type Asked = ItemState & {
  /** The state after an update: rules check their `becomes`. */
  isAfter?: boolean
  /**
   * The changes of the write. Absent: not known yet, or nothing is written. Then `changes` of an allow rule counts as met, and a block rule
   * with `changes` does not apply.
   */
  changes?: ItemChanges
}

/**
 * Checks the conditions of a rule on a state of an item for a caller, with the same result as in a database: for an allow rule whether they
 * are true, for a block rule whether they are false.
 */
export function holdsFor(caller: Grant, { list, item, isAfter = false, changes }: Asked): Holds {
  let parsed: ParsedItem | null = null
  const passes = (question: Folded) => {
    if (typeof question === 'boolean') return question
    parsed ??= { item, data: list.indexes.length > 0 ? JSON.parse(item.data) : null, entries: new Map() }
    return passesQuestion(question, parsed, list.indexes)
  }
  return (rule) => {
    const isTouched = changesHold(rule, changes)
    if (!isTouched) return false
    const read = boundTo(rule, list)
    if (!read) return null
    const asked = isAfter ? (read.becomes ?? read.where) : read.where
    if (asked === null) return true
    const { isTrue, isFalse } = formsOf(asked, caller)
    // An allow rule needs only the form that is true, a block rule only the one that is false.
    if (rule.mode === 'allow') return passes(isTrue) || null
    return passes(isFalse) ? false : null
  }
}

function changesHold({ mode, conditions: { changes: entries } }: ConditionalRule, changes?: ItemChanges): boolean {
  if (!entries) return true
  if (!changes) return mode === 'allow'
  return mode === 'allow' ? liesWithin(changes, entries) : touches(changes, entries)
}

/** The conditions of a rule on the current state, as questions about the items of a list. */
export function questionsOf(caller: Grant, rule: ConditionalRule, list: RuledList): Forms {
  const read = boundTo(rule, list)
  if (!read) return unknown
  return read.where === null ? { isTrue: true, isFalse: false } : formsOf(read.where, caller)
}
