import type { AccessCall } from './calls.ts'
import { type Holds, isConditionalFor } from './compiled-rules.ts'
import type { Permission } from './permission-rule.ts'
import {
  couldEverBePermitted,
  decideActing,
  decideOn,
  type Grant,
  isPermitted,
  itemVisibility,
  mayKnowDraft,
  type OwnedAccessRequest,
  ownerForm,
  rejectionOf,
  rejectionOfCreate,
} from './permissions.ts'

/** The subject of a call. Ids that no rule names may be absent. */
export type Thing = {
  list?: {
    id: string
    activated: boolean
    indexable: boolean
    /** Whether a page can have items under the rules with conditions: `viewedItems` is not false. Absent: not checked. */
    hasPage?: boolean
  }
  item?: {
    id?: string
    ownerId: string | null
    activated: boolean
    /** Checks rules with conditions on the current state; absent: not checked. */
    holds?: Holds
    /** Check both states of an update, including its changes; a create has only `after`. Absent: not checked. */
    before?: Holds
    after?: Holds
  }
  indexId?: string
  flowId?: string
  identity?: { id?: string; group: string | null }
}

/**
 * The answer of the API: `allowed` (2xx), `forbidden` (403), `hidden` (404); `nobody`: 200 without the identity or the list; `signed out`:
 * 401; `some`: 200 where the rules name an item of the list, 404 where they do not.
 */
export type Answer = 'allowed' | 'forbidden' | 'hidden' | 'nobody' | 'signed out' | 'some'

/** An answer, and what decided. */
export type Verdict = {
  answer: Answer
  /** The permission that decided. */
  permission: Permission
  /** The position of the rule that decided; null: no rule matches, or no rule was checked. */
  rule: number | null
  /** The rule is for the identity's own resources. */
  asOwner: boolean
  /** The reason, if not the rules decided; absent: the rules did. */
  because?: 'acting' | 'list switched off' | 'draft' | 'not listed'
}

/** Decides a call by a token's rules, with the same functions as the gateway (contract 1.2 and 3). */
export function verdictOn(granted: Grant, call: AccessCall, thing: Thing): Verdict {
  const grant = call.withoutIdentity ? { ...granted, identity: null } : granted
  const main = call.needs.at(-1) ?? noPermission
  const acting = grant.identity && decideActing(grant.permissions, grant.identity)
  if (acting && acting !== 'allowed') {
    const { rule } = decideOn(grant, { ...signIn, identityId: grant.identity?.id, group: grant.identity?.groupName })
    return { answer: acting, permission: signIn, rule, asOwner: false, because: 'acting' }
  }
  for (const need of call.needs) {
    if (!couldEverBePermitted(grant, need.action, need.resourceType))
      return ruled('forbidden', grant, need, call, thing)
  }
  const unruled = { permission: main, rule: null, asOwner: false }
  if (call.special === 'export') return exported(grant, call, thing, main)
  if (call.route.includes('{list}') && thing.list?.activated === false)
    return { ...unruled, answer: 'hidden', because: 'list switched off' }
  if (isHiddenDraft(grant, call, thing)) return { ...unruled, answer: 'hidden', because: 'draft' }
  if (call.special === 'page') return pageVerdict(grant, call, thing, main)
  return decided(grant, call, thing, main)
}

const signIn = { action: 'authenticate', resourceType: 'identity' } as const
const noPermission: Permission = signIn

function decided(grant: Grant, call: AccessCall, thing: Thing, main: Permission): Verdict {
  if (isUnseen(grant, call, thing)) return ruled('hidden', grant, viewItem, call, thing)
  for (const need of call.needs) {
    const request = requestFor(call, need, thing)
    const states = statesOf(request, need, thing)
    const rejected = states.find((state) => !isPermitted(grant, state))
    if (!rejected) continue
    const { rule, asOwner } = decideOn(grant, rejected)
    const isCreate = need.action === 'create' && need.resourceType === 'item'
    const rejection = isCreate ? rejectionOfCreate(grant, request) : rejectionOf(grant, request)
    return { answer: answerTo(call, rejection), permission: need, rule, asOwner }
  }
  if (call.route === 'GET /lists/{list}/stats' && viewsByConditions(grant, thing))
    return ruled('forbidden', grant, main, call, thing)
  return ruled('allowed', grant, main, call, thing)
}

/** Both states of an update are checked. */
function statesOf(request: OwnedAccessRequest, need: Permission, { item }: Thing): OwnedAccessRequest[] {
  if (need.action !== 'update' || !item?.before || !item.after) return [request]
  return [item.before, item.after].map((holds) => ({ ...request, holds }))
}

const viewItem = { action: 'view', resourceType: 'item' } as const

/**
 * Whether rules for viewing have conditions on the items of a list. A hidden item is answered as if it did not exist, even if other actions
 * on it are allowed.
 */
function viewsByConditions({ permissions }: Grant, { list }: Thing): boolean {
  const asOwner = { ...viewItem, action: ownerForm(viewItem) ?? viewItem.action }
  return permissions.rules.some((rule) => isConditionalFor(rule, list?.id, [viewItem, asOwner]))
}

function isUnseen(grant: Grant, call: AccessCall, thing: Thing): boolean {
  if (call.about !== 'items' || !call.route.includes('{item}') || !viewsByConditions(grant, thing)) return false
  return !isPermitted(grant, requestFor(call, viewItem, thing))
}

/** The rejection of calls whose answer must not reveal which identities exist. */
function answerTo({ special }: AccessCall, rejection: 'forbidden' | 'hidden'): Answer {
  if (special === 'new list' || special === 'new flow') return 'forbidden'
  if (special === 'sign-in') return 'signed out'
  return special === 'one-time token' && rejection === 'hidden' ? 'nobody' : rejection
}

/** An export contains only the lists that the token may sync. */
function exported(grant: Grant, call: AccessCall, thing: Thing, main: Permission): Verdict {
  if (thing.list?.activated === false)
    return { answer: 'nobody', permission: main, rule: null, asOwner: false, because: 'list switched off' }
  return ruled(isPermitted(grant, requestFor(call, main, thing)) ? 'allowed' : 'nobody', grant, main, call, thing)
}

/** A page shows the items that the token may view. Whether there are any matters only if rules name items. */
function pageVerdict(grant: Grant, call: AccessCall, thing: Thing, main: Permission): Verdict {
  const { list } = thing
  const listId = list?.id ?? ''
  const { regardlessOfOwner: all, owned } = itemVisibility(grant, listId)
  const named = all.except.length > 0 || (!all.rest && (owned?.except.length ?? 0) > 0)
  const seesList = isPermitted(grant, { action: 'view', resourceType: 'list', listId })
  const own = { ...thing, item: { ownerId: grant.identity?.id ?? null, activated: true } }
  const answered = (answer: Answer) => ruled(answer, grant, main, { ...call, route: 'GET /{item}' }, own)
  const notListed = {
    answer: 'forbidden',
    permission: main,
    rule: null,
    asOwner: false,
    because: 'not listed',
  } as const
  if (viewsByConditions(grant, thing) && list?.hasPage !== undefined) {
    if (!list.hasPage) return answered(seesList ? 'forbidden' : 'hidden')
    return list.indexable ? answered('allowed') : notListed
  }
  if (!named && !all.rest && !owned?.rest) return answered(seesList ? 'forbidden' : 'hidden')
  if (named && !seesList) return answered('some')
  if (list?.indexable === false) return notListed
  return answered('allowed')
}

function ruled(answer: Answer, grant: Grant, permission: Permission, call: AccessCall, thing: Thing): Verdict {
  const { rule, asOwner } = decideOn(grant, requestFor(call, permission, thing))
  return { answer, permission, rule, asOwner }
}

function isHiddenDraft(grant: Grant, { route }: AccessCall, { list, item }: Thing): boolean {
  if (!route.includes('{item}') || !item || item.activated) return false
  return !mayKnowDraft(grant, { listId: list?.id, itemId: item.id, ownerId: item.ownerId, holds: item.holds })
}

/** The access request of a call, with its ids; a resource to be created has none yet. */
export function requestFor({ about, route, special }: AccessCall, need: Permission, thing: Thing): OwnedAccessRequest {
  if (special === 'new list' || special === 'new flow') return need
  if (about === 'flows') return { ...need, flowId: thing.flowId }
  if (about === 'identities') {
    const named = route.includes('{identity}') || special !== undefined
    return { ...need, group: thing.identity?.group ?? null, identityId: named ? thing.identity?.id : undefined }
  }
  const request: OwnedAccessRequest = { ...need, listId: thing.list?.id }
  if (route.includes('{item}')) {
    const { id: itemId, ownerId = null, holds } = thing.item ?? {}
    Object.assign(request, { itemId, ownerId, holds })
  }
  if (need.action === 'create') Object.assign(request, { holds: thing.item?.after })
  if (route.includes('{index}')) Object.assign(request, { indexId: thing.indexId })
  return request
}
