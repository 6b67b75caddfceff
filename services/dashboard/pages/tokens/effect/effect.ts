import { type AccessCall, accessCalls, type Subject } from '#shared/domain/access/calls.ts'
import {
  compilePermissions,
  type Holds,
  isConditional,
  mayHold,
  type Permissions,
} from '#shared/domain/access/compiled-rules.ts'
import type { PermissionRule } from '#shared/domain/access/permission-rule.ts'
import type { ActingIdentity, Grant } from '#shared/domain/access/permissions.ts'
import { hasConditions as isConditionalRule } from '#shared/domain/access/rule-conditions.ts'
import { selectItems } from '#shared/domain/access/selections.ts'
import { type Answer, type Thing, type Verdict, verdictOn } from '#shared/domain/access/verdict.ts'

export const subjects: readonly Subject[] = ['items', 'lists', 'indexes', 'events', 'stats', 'identities', 'flows']

/** A row of the grid; `name` is for display. */
export type EffectRow = { name: string; thing: Pick<Thing, 'list' | 'identity'> }

/** The fields of a list that rules and the API need. */
export type KnownList = { id: string; pathName: string; activated: boolean; indexable: boolean }

const mostLists = 12

/** A row for each list that rules name and for other lists, up to 12 rows; more if rules name more. The last row is for any other list. */
export function listRows(lists: readonly KnownList[], rules: readonly PermissionRule[]): EffectRow[] {
  const named = new Set(rules.flatMap(({ listIds = [] }) => listIds))
  const byName = lists.toSorted((a, b) => Number(named.has(b.id)) - Number(named.has(a.id)))
  const shown = byName.slice(0, Math.max(mostLists, lists.filter(({ id }) => named.has(id)).length))
  const other = { id: 'other', activated: true, indexable: true }
  return [
    ...shown.map((list) => ({ name: list.pathName, thing: { list } })),
    { name: shown.length > 0 ? 'any other list' : 'any list', thing: { list: other } },
  ]
}

/** A row for identities without a group, and a row for each group. */
export function groupRows(groups: readonly string[]): EffectRow[] {
  return [
    { name: 'without a group', thing: { identity: { group: null } } },
    ...groups.map((group) => ({ name: group, thing: { identity: { group } } })),
  ]
}

/** A single row: "Try it" shows the effect on single flows. */
export const flowRows: readonly EffectRow[] = [{ name: 'any flow', thing: {} }]

/**
 * The effect of rules in a cell. `own`: allowed only for the acting identity's own resources; `some`: it depends on the item, and with
 * `hasConditions` on its content.
 */
export type Cell = { state: 'yes' | 'own' | 'some' | 'no'; verdict: Verdict; namedItems: number; hasConditions?: true }

/** Null: the call does not apply to this row, such as creating a list that exists. @param acting null: the token acts for no identity */
export function cellOf(
  permissions: Permissions,
  call: AccessCall,
  { thing }: EffectRow,
  acting: ActingIdentity | null,
): Cell | null {
  if (call.special === 'new list' && thing.list?.id !== 'other') return null
  const grant = { permissions, identity: acting }
  const on = (ownerId: string | null, holds: Holds | undefined) => {
    const item = { ownerId, activated: true, ...(holds && { holds, before: holds, after: holds }) }
    const list = thing.list && { ...thing.list, ...(holds && { hasPage: true }) }
    return verdictOn(grant, call, { ...thing, ...(list && { list }), item })
  }
  const namedItems = call.route.includes('{item}') ? namedIn(grant.permissions, call, thing) : 0
  const verdict = on(null, undefined)
  if (verdict.answer === 'allowed') return { state: 'yes', verdict, namedItems }
  const own = acting && on(acting.id, undefined)
  if (own?.answer === 'allowed') return { state: 'own', verdict: own, namedItems }
  // Assume that all conditions may be met: then some items may be allowed.
  const most = permissions.rules.some(isConditional) ? on(acting?.id ?? null, mayHold) : verdict
  if (most.answer === 'allowed') return { state: 'some', verdict: most, namedItems, hasConditions: true }
  return { state: verdict.answer === 'some' ? 'some' : 'no', verdict, namedItems }
}

/** The same for a single thing. Without an item, it is for an item that no rule names, without an owner. */
export function tryCell(
  grant: Grant,
  call: AccessCall,
  { item = { ownerId: null, activated: true }, ...thing }: Thing,
): Cell {
  const verdict = verdictOn(grant, call, { ...thing, item })
  if (verdict.answer === 'allowed') return { state: verdict.asOwner ? 'own' : 'yes', verdict, namedItems: 0 }
  const isAsked = item.holds !== undefined || item.after !== undefined || thing.list?.hasPage === false
  if (!isAsked && grant.permissions.rules.some(isConditional)) {
    const most = verdictOn(grant, call, { ...thing, item: { ...item, holds: mayHold, after: mayHold } })
    if (most.answer === 'allowed') return { state: 'some', verdict: most, namedItems: 0, hasConditions: true }
  }
  return { state: verdict.answer === 'some' ? 'some' : 'no', verdict, namedItems: 0 }
}

/** The number of items for which rules that name them decide otherwise. */
function namedIn(permissions: Permissions, call: AccessCall, { list }: Thing): number {
  const [need] = call.needs.slice(-1)
  return need ? selectItems(permissions, { ...need, listId: list?.id }).except.length : 0
}

export type Change = { what: string; where: string; from: Cell['state']; to: Cell['state'] }

/** The calls that a change of rules allows or no longer allows. */
export function changesOf(
  before: readonly PermissionRule[],
  after: readonly PermissionRule[],
  rows: { lists: readonly EffectRow[]; groups: readonly EffectRow[] },
): Change[] {
  const somebody = { id: 'somebody', groupName: null }
  const both = [before, after].map((rules) => compilePermissions(rules))
  return accessCalls.flatMap((call) =>
    rowsFor(call.about, rows).flatMap((row) => {
      const states = both.map((permissions) => {
        const plain = cellOf(permissions, call, row, null)
        return (
          plain && (plain.state === 'no' && !call.withoutIdentity ? cellOf(permissions, call, row, somebody) : plain)
        )
      })
      const [from, to] = states.map((cell) => cell?.state)
      if (!from || !to || from === to) return []
      return [{ what: `${call.about}: ${call.name}`, where: row.name, from, to }]
    }),
  )
}

/** The rows for the subject of a call. */
export function rowsFor(
  about: Subject,
  { lists, groups }: { lists: readonly EffectRow[]; groups: readonly EffectRow[] },
): readonly EffectRow[] {
  return about === 'identities' ? groups : about === 'flows' ? flowRows : lists
}

/** The API's response to each outcome, with status and error. */
export const answers: Readonly<Record<Answer, string>> = {
  allowed: 'The API allows it.',
  forbidden: 'The API answers 403 TOKEN_NOT_AUTHORIZED.',
  hidden: 'The API answers 404 REQUESTED_ENTITY_NOT_FOUND, as if it did not exist.',
  nobody: 'The API answers 200 and leaves it out.',
  'signed out': 'The API answers 401 IDENTITY_NOT_AUTHENTICATED.',
  some: 'The API answers 200 with the items that rules name, or 404 if the list has none of them.',
}

/** The reason for a verdict, in a sentence or two. @param again computes the answer for other rules */
export function reasonFor(
  rules: readonly PermissionRule[],
  { verdict, hasConditions }: Pick<Cell, 'verdict' | 'hasConditions'>,
  again: (permissions: Permissions) => Answer | undefined,
): string {
  const { rule, because, permission, answer, asOwner } = verdict
  const needed = `${permission.action}${asOwner ? '-with-identity' : ''} ${permission.resourceType}`
  if (because === 'list switched off') return 'The list is not activated, and hidden from every token.'
  if (because === 'draft') return 'The item is not activated. Only its owner and tokens that may update it can see it.'
  if (because === 'not listed') return 'The list is not listed to tokens (indexable is off); read its items one by one.'
  if (rule === null) {
    const which = rules.some(isConditionalRule) ? 'No rule that matches' : 'No rule'
    return `${which} covers "${needed}", and nothing is allowed by default.`
  }
  const isAllowed = rules[rule]?.mode === 'allow'
  const acting = because === 'acting' ? 'The token may not sign the identity in. ' : ''
  if (hasConditions)
    return `${acting}It depends on the item: rule ${rule + 1} allows "${needed}" where its conditions hold.`
  const without = again(compilePermissions(rules.filter((_rule, n) => n !== rule)))
  const otherwise =
    without === undefined || without === answer ? 'stay the same' : `be ${without === 'allowed' ? 'yes' : 'no'}`
  return `${acting}Rule ${rule + 1} decides "${needed}": it ${isAllowed ? 'allows' : 'blocks'} it. Without it the answer would ${otherwise}.`
}
