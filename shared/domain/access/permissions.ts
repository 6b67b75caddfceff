import {
  type AccessRequest,
  type CompiledRule,
  concerns,
  isConditional,
  matches,
  mayHold,
  type Permissions,
  selectable,
} from './compiled-rules.ts'
import type { Action, Permission, ResourceType } from './permission-rule.ts'
import { type IdSelection, inBoth, inEither, selectItems } from './selections.ts'

/** The identity on whose behalf a token acts, as rules see it. An absent property is unknown. */
export type ActingIdentity = {
  id: string
  groupName: string | null
  /** Another group of the account has the same name in different case, and conditions ignore case. */
  groupIsAmbiguous?: boolean
  name?: string
  tags?: readonly string[]
}

/**
 * A token's rules and the identity it acts for; null without identity headers. The other properties are caller values that conditions may
 * name; an absent one is unknown.
 */
export type Grant = {
  permissions: Permissions
  identity: ActingIdentity | null
  tokenId?: string
  tokenTags?: readonly string[]
  /** The time of the request, in epoch milliseconds. */
  askedAt?: number
}

/** An access request to one resource; `ownerId` is the identity that owns the item. */
export type OwnedAccessRequest = AccessRequest & { ownerId?: string | null | undefined }

/** A ruling on a request; `asOwner`: a rule for the identity's own resources decided. */
export type Decision = Ruling & { asOwner: boolean }

/**
 * Decides whether a token may do this (contract 3): by a rule for the action itself, or for its `-with-identity` form if the acting
 * identity owns the item. These are two different actions; a rule for one does not affect the other.
 */
export function decideOn(grant: Grant, { ownerId, ...request }: OwnedAccessRequest): Decision {
  const ruling = decide(grant.permissions, request)
  const asOwner = ruling.allowed ? null : ownerRequest(grant, request)
  if (!asOwner || !isOwner(grant, { ...request, ownerId })) return { ...ruling, asOwner: false }
  const ownRuling = decide(grant.permissions, asOwner)
  return ownRuling.rule === null ? { ...ruling, asOwner: false } : { ...ownRuling, asOwner: true }
}

/** Whether a token may do this, by `decideOn`. */
export function isPermitted(grant: Grant, request: OwnedAccessRequest): boolean {
  return decideOn(grant, request).allowed
}

/**
 * The answer to a request that `isPermitted` does not allow (contract 1.2): `forbidden` (403) if no rule could ever allow it or the token
 * may view the resource anyway; otherwise the resource is `hidden` (404), as if it did not exist.
 */
export function rejectionOf(grant: Grant, request: OwnedAccessRequest): 'forbidden' | 'hidden' {
  if (!couldEverBePermitted(grant, request.action, request.resourceType)) return 'forbidden'
  return isPermitted(grant, { ...request, action: 'view' }) ? 'forbidden' : 'hidden'
}

/**
 * The same for the create of an item, which is decided twice: in advance, when rules with conditions may still allow it, and on the created
 * item. A create that only conditions reject is also `forbidden` if the token may view the list.
 */
export function rejectionOfCreate(grant: Grant, request: OwnedAccessRequest): 'forbidden' | 'hidden' {
  const inAdvance = { ...request, holds: mayHold }
  const seesList = isPermitted(grant, { action: 'view', resourceType: 'list', listId: request.listId })
  return isPermitted(grant, inAdvance) && seesList ? 'forbidden' : rejectionOf(grant, inAdvance)
}

/**
 * Whether a token may act for an identity (contract 2.5): it must be allowed to sign it in. `forbidden` (403): it may not sign in any
 * identity; `signed out` (401): not this one.
 */
export function decideActing(permissions: Permissions, { id, groupName }: ActingIdentity): ActingDecision {
  const signIn = { action: 'authenticate', resourceType: 'identity' } as const
  if (decide(permissions, { ...signIn, identityId: id, group: groupName }).allowed) return 'allowed'
  return couldEverBeAllowed(permissions, signIn) ? 'signed out' : 'forbidden'
}

type ActingDecision = 'allowed' | 'forbidden' | 'signed out'

/** An identity counts as the owner of what it creates or runs. */
function isOwner({ identity }: Grant, { action, ownerId }: OwnedAccessRequest): boolean {
  return action === 'create' || action === 'run' || (ownerId !== undefined && ownerId === identity?.id)
}

/** Whether `isPermitted` could allow the action on some resource of this type. */
export function couldEverBePermitted(grant: Grant, action: Action, resourceType: ResourceType): boolean {
  const request = { action, resourceType }
  if (couldEverBeAllowed(grant.permissions, request)) return true
  const asOwner = ownerRequest(grant, request)
  return asOwner !== null && couldEverBeAllowed(grant.permissions, asOwner)
}

/** The items of a list that a token may see: some regardless of owner, some because the acting identity owns them. */
export type ItemVisibility = { regardlessOfOwner: IdSelection; owned: (IdSelection & { identityId: string }) | null }

/** The items of a list that a page, search or count shows (contract 1.2): those that `isPermitted` allows to view. */
export function itemVisibility(grant: Grant, listId: string): ItemVisibility {
  const request = { action: 'view', resourceType: 'item', listId } as const
  const regardlessOfOwner = selectItems(grant.permissions, request)
  const asOwner = ownerRequest(grant, request)
  if (!asOwner || !grant.identity) return { regardlessOfOwner, owned: null }
  return { regardlessOfOwner, owned: { ...selectItems(grant.permissions, asOwner), identityId: grant.identity.id } }
}

/**
 * Whether a token may know that a draft (an item that is not activated, contract 2.2) exists: if it may update it, or acts for its owner.
 * As for every item, the rules decide what it may do with it.
 */
export function mayKnowDraft(grant: Grant, item: Omit<OwnedAccessRequest, keyof Permission>): boolean {
  const owns = grant.identity !== null && item.ownerId === grant.identity.id
  return owns || isPermitted(grant, { ...item, action: 'update', resourceType: 'item' })
}

/** The drafts among the items of `itemVisibility` that the token may know of. */
export function draftVisibility(grant: Grant, listId: string): ItemVisibility {
  const { regardlessOfOwner: viewed, owned } = itemVisibility(grant, listId)
  const updated = selectItems(grant.permissions, { action: 'update', resourceType: 'item', listId })
  return {
    regardlessOfOwner: inBoth(viewed, updated),
    owned: owned && { ...inEither(viewed, owned), identityId: owned.identityId },
  }
}

/** The types of resources that have an owner: items, and with them their events. */
const ownableTypes: ReadonlySet<ResourceType> = new Set<ResourceType>(['item', 'event'])

const ownerForms: { [action in Action]?: Action } = {
  create: 'create-with-identity',
  view: 'view-with-identity',
  update: 'update-with-identity',
  delete: 'delete-with-identity',
  restore: 'restore-with-identity',
  run: 'run-with-identity',
}

/** The action that an owner needs for its item or its events, or that an identity needs to run a flow for itself; null: there is no such action. */
export function ownerForm({ action, resourceType }: Permission): Action | null {
  const isOwnable = ownableTypes.has(resourceType) || action === 'run'
  return isOwnable ? (ownerForms[action] ?? null) : null
}

/** The request in its form for owners, which rules may select by identity and group. Null: there is no identity, or no such action. */
export function ownerRequest({ identity }: Pick<Grant, 'identity'>, request: AccessRequest): AccessRequest | null {
  const action = identity && ownerForm(request)
  return action && { ...request, action, identityId: identity.id, group: identity.groupName }
}

/** Whether rules allow a request, and the position of the deciding rule in the token's `permissions`; null: no rule matches. */
export type Ruling = { allowed: boolean; rule: number | null }

/** The last rule that matches decides; nothing is allowed by default. Restoring also requires viewing (contract 3). */
export function decide(permissions: Permissions, request: AccessRequest): Ruling {
  const { rules } = permissions
  const at = rules.findIndex((rule) => matches(rule, request))
  const views = viewsNeeded[request.action]
  const allowed =
    rules[at]?.mode === 'allow' &&
    (views?.some((action) => decide(permissions, { ...request, action }).allowed) ?? true)
  return { allowed, rule: at < 0 ? null : rules.length - 1 - at }
}

/** Actions that also require one of these view actions on the same resource. */
const viewsNeeded: { [action in Action]?: readonly Action[] } = {
  restore: ['view'],
  'restore-with-identity': ['view', 'view-with-identity'],
}

/**
 * Whether the request could be allowed on some resource of its type: an allow rule exists that later rules do not block completely.
 * Contract 1.2: without such a rule the response is 403 instead of 404.
 * @param request its ids belong to all these resources, for example the identity that acts as their owner
 */
export function couldEverBeAllowed({ rules }: Permissions, request: AccessRequest): boolean {
  const { action, resourceType } = request
  const blocks: CompiledRule[] = []
  const reachable = rules.some((rule) => {
    if (!concerns(rule, request)) return false
    const open = withoutKnown(rule, request)
    if (!open) return false
    // A block rule with conditions does not block items that do not meet them.
    if (rule.mode === 'block' && isConditional(rule)) return false
    if (rule.mode === 'allow') return selectsType(open, resourceType) && leavesSomething(open, blocks)
    blocks.push(open)
    return false
  })
  const viewing = viewsNeeded[action]
  return (
    reachable &&
    (viewing === undefined || viewing.some((view) => couldEverBeAllowed({ rules }, { ...request, action: view })))
  )
}

/** The rule without the selectors that the request's ids satisfy; null if it selects other ids. */
function withoutKnown(rule: CompiledRule, request: AccessRequest): CompiledRule | null {
  const selected: CompiledRule['selected'] = []
  for (const selection of rule.selected) {
    const id = request[selection.property]
    if (id === undefined) selected.push(selection)
    else if (id === null || !selection.ids.has(id)) return null
  }
  return { ...rule, selected }
}

/** A rule that selects items does not match a list, even if it is for all types. */
function selectsType({ selected }: CompiledRule, resourceType: ResourceType): boolean {
  return selected.every(({ property }) => selectable[resourceType].includes(property))
}

/**
 * An allow rule with several selectors counts as blocked if block rules cover every id of one selector, or one block rule covers it
 * completely. Combinations of block rules on different properties are not examined.
 */
function leavesSomething(allow: CompiledRule, blocks: readonly CompiledRule[]): boolean {
  if (blocks.some((block) => covers(block, allow))) return false
  return allow.selected.every(({ property, ids }) => {
    const taken = blocks.filter((block) => covers(block, allow, property))
    return [...ids].some((id) => !taken.some((block) => selects(block, property, id)))
  })
}

/** Whether the block rule matches everything that the allow rule matches, apart from one property. */
function covers(block: CompiledRule, allow: CompiledRule, except?: string): boolean {
  return block.selected.every(({ property, ids }) => {
    if (property === except) return true
    return allow.selected.some((selection) => selection.property === property && selection.ids.isSubsetOf(ids))
  })
}

function selects(rule: CompiledRule, property: string, id: string): boolean {
  const selection = rule.selected.find((candidate) => candidate.property === property)
  return selection === undefined || selection.ids.has(id)
}
