import type { Action, Permission, ResourceType } from './permission-rule.ts'
import {
  type AccessRequest,
  couldEverBeAllowed,
  decide,
  decidingRule,
  type IdSelection,
  inBoth,
  inEither,
  type Permissions,
  selectItems,
} from './permissions.ts'

/** The identity on whose behalf a token acts, as rules see it. */
export type ActingIdentity = { id: string; groupName: string | null }

/** A token's rules and the identity it acts for; null without identity headers. */
export type Grant = { permissions: Permissions; identity: ActingIdentity | null }

/** An access request to one resource; `ownerId` is the identity that owns the item. */
export type OwnedAccessRequest = AccessRequest & { ownerId?: string | null | undefined }

/**
 * Whether a token may do this (contract 3): by a rule for the action itself, or for its `-with-identity` form when the
 * item is the acting identity's own. The two are different actions; a rule for one says nothing about the other.
 */
export function isPermitted(grant: Grant, { ownerId, ...request }: OwnedAccessRequest): boolean {
  if (decide(grant.permissions, request) === 'allow') return true
  const asOwner = ownerRequest(grant, request)
  if (!asOwner) return false
  return isOwner(grant, { ...request, ownerId }) && decide(grant.permissions, asOwner) === 'allow'
}

/**
 * What a token is told of what `isPermitted` does not let it do (contract 1.2): `forbidden` (403) when no rule could ever allow it, or
 * when it may view the resource anyway; otherwise the resource is `hidden` (404), as if it did not exist.
 */
export function refusalOf(grant: Grant, request: OwnedAccessRequest): 'forbidden' | 'hidden' {
  if (!couldEverBePermitted(grant, request.action, request.resourceType)) return 'forbidden'
  return isPermitted(grant, { ...request, action: 'view' }) ? 'forbidden' : 'hidden'
}

/**
 * Whether a token may act for an identity (contract 2.5): it has to be allowed to sign it in. `forbidden` (403): it may sign none in;
 * `signed out` (401): not this one.
 */
export function decideActing(permissions: Permissions, { id, groupName }: ActingIdentity): ActingDecision {
  const signIn = { action: 'authenticate', resourceType: 'identity' } as const
  if (decide(permissions, { ...signIn, identityId: id, group: groupName }) === 'allow') return 'allowed'
  return couldEverBeAllowed(permissions, signIn) ? 'signed out' : 'forbidden'
}

type ActingDecision = 'allowed' | 'forbidden' | 'signed out'

/** The rule that decides about a request, by its position; null: none matches. `asOwner`: a rule for what is the identity's own. */
export type Decision = { rule: number | null; asOwner: boolean }

/** Which rule has the last word on what `isPermitted` allows or does not. */
export function decisionOn(grant: Grant, { ownerId, ...request }: OwnedAccessRequest): Decision {
  const rule = decidingRule(grant.permissions, request)
  if (decide(grant.permissions, request) === 'allow') return { rule, asOwner: false }
  const asOwner = ownerRequest(grant, request)
  const ownRule = asOwner && isOwner(grant, { ...request, ownerId }) ? decidingRule(grant.permissions, asOwner) : null
  return ownRule === null ? { rule, asOwner: false } : { rule: ownRule, asOwner: true }
}

/** What an identity creates or runs, it creates or runs for itself. */
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

/** Which items of a list a token may see: some regardless of their owner, some because the acting identity owns them. */
export type ItemVisibility = { regardlessOfOwner: IdSelection; owned: (IdSelection & { identityId: string }) | null }

/** The items of a list that a page, search or count shows (contract 1.2): those that `isPermitted` lets be viewed. */
export function itemVisibility(grant: Grant, listId: string): ItemVisibility {
  const request = { action: 'view', resourceType: 'item', listId } as const
  const regardlessOfOwner = selectItems(grant.permissions, request)
  const asOwner = ownerRequest(grant, request)
  if (!asOwner || !grant.identity) return { regardlessOfOwner, owned: null }
  return { regardlessOfOwner, owned: { ...selectItems(grant.permissions, asOwner), identityId: grant.identity.id } }
}

/**
 * Whether a token may know of an item that is not activated, a draft (contract 2.2): if it may update it, or acts for its owner.
 * What it may do then, the rules decide as for every item.
 */
export function mayKnowDraft(grant: Grant, item: Omit<OwnedAccessRequest, keyof Permission>): boolean {
  const owns = grant.identity !== null && item.ownerId === grant.identity.id
  return owns || isPermitted(grant, { ...item, action: 'update', resourceType: 'item' })
}

/** The drafts among the items of a list that `itemVisibility` has: those that the token may know of, too. */
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

export const ownerForms: { [action in Action]?: Action } = {
  create: 'create-with-identity',
  view: 'view-with-identity',
  update: 'update-with-identity',
  delete: 'delete-with-identity',
  restore: 'restore-with-identity',
  run: 'run-with-identity',
}

/** The request as the owner of the item or of its events makes it; rules may select it by identity and group. */
function ownerRequest({ identity }: Grant, request: AccessRequest): AccessRequest | null {
  const action = ownerForms[request.action]
  const isOwnable = ownableTypes.has(request.resourceType) || request.action === 'run'
  if (!identity || !action || !isOwnable) return null
  return { ...request, action, identityId: identity.id, group: identity.groupName }
}
