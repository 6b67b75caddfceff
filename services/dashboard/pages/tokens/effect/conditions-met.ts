import type { AccessCall } from '#shared/domain/access/calls.ts'
import { type ConditionalRule, isConditional, selectsOf } from '#shared/domain/access/compiled-rules.ts'
import { type Grant, ownerRequest } from '#shared/domain/access/permissions.ts'
import { requestFor, type Thing, type Verdict } from '#shared/domain/access/verdict.ts'
import { holdsFor, type ItemState } from '#shared/domain/item-rules/bound-rules.ts'
import type { ItemChanges } from '#shared/domain/item-rules/item-changes.ts'
import { unmetConditions } from '#shared/domain/item-rules/unmet-conditions.ts'
import { whereWords } from '../condition-words.ts'

/** The states of an item that the rules for a call check; `after` undefined: there is no later state, or it is not known. */
export type TriedStates = { before: ItemState; after?: ItemState | undefined; changes?: ItemChanges | undefined }

type Tried = { grant: Grant; call: AccessCall; thing: Thing; verdict: Verdict; states: TriedStates }

/** A sentence about each rule with conditions that selects the item, up to the one that decided: whether its conditions are met. */
export function conditionsMet({ grant, call, thing, verdict, states }: Tried): string[] {
  const { rules } = grant.permissions
  const request = requestFor(call, verdict.permission, thing)
  const asOwner = ownerRequest(grant, request)
  return rules.flatMap((rule, at) => {
    const position = rules.length - 1 - at
    const isAsked = selectsOf(rule, request) || (asOwner !== null && selectsOf(rule, asOwner))
    if (!isConditional(rule) || !isAsked || position < (verdict.rule ?? 0)) return []
    return [sentenceOf(grant, rule, { position, states })]
  })
}

function sentenceOf(
  grant: Grant,
  rule: ConditionalRule,
  { position, states: { before, after, changes } }: { position: number; states: TriedStates },
): string {
  const name = `Rule ${position + 1}`
  const { where, becomes, changes: fields = [], indexes } = rule.conditions
  const asked = { ...(changes && { changes }) }
  const of = [
    { state: before, conditions: where, when: after ? 'before' : null, isAfter: false },
    ...(after ? [{ state: after, conditions: becomes ?? where, when: 'afterwards', isAfter: true }] : []),
  ]
  const unmet = of.flatMap(({ state, conditions, when, isAfter }) => {
    const holds = holdsFor(grant, { ...state, ...asked, isAfter })(rule)
    const isMet = rule.mode === 'allow' ? holds === true : holds !== false
    const found = conditions ? unmetConditions(grant, state, { where: conditions, indexes }) : []
    const words = found.map(({ condition, is }) => `${whereWords(condition)} is ${is}`)
    const reasons = words.length > 0 ? words : isMet ? [] : [`it changes something other than ${fields.join(', ')}`]
    return [
      {
        isMet,
        text: [words.length > 0 ? when : null, reasons.join(', ')].filter(Boolean).join(' '),
        hasReasons: reasons.length > 0,
      },
    ]
  })
  const failed = unmet.find(({ isMet }) => !isMet)
  if (failed) return `${name} does not match: ${failed.text}.`
  const unknown = unmet.find(({ hasReasons }) => hasReasons)
  return unknown
    ? `${name} blocks anything not known to be allowed: ${unknown.text}.`
    : `${name} matches: its conditions hold.`
}
