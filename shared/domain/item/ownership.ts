import type { Action, ResourceType } from '../permission-rule.ts'
import { type AccessRequest, decide, type IdSelection, mayEver, type Permissions, selectItems } from '../permissions.ts'

/** The identity on whose behalf a token acts, as rules see it. */
export type ActingIdentity = { id: string; groupName: string | null }

/** A token's rules and the identity it acts for; null without identity headers. */
export type Grant = { permissions: Permissions; identity: ActingIdentity | null }

/** A question about one resource; `ownerId` is the identity that owns the item in question. */
export type OwnedAccessRequest = AccessRequest & { ownerId?: string | null | undefined }

/**
 * Whether a token may do this (contract 3): by a rule for the action itself, or for its `-with-identity` form when the
 * item is the acting identity's own. The two are different actions; a rule for one says nothing of the other.
 */
export function isPermitted(powers: Grant, { ownerId, ...question }: OwnedAccessRequest): boolean {
  if (decide(powers.permissions, question) === 'allow') return true
  const asOwner = asOwnerQuestion(powers, question)
  if (!asOwner) return false
  const owns = question.action === 'create' || (ownerId !== undefined && ownerId === powers.identity?.id)
  return owns && decide(powers.permissions, asOwner) === 'allow'
}

/** Whether there can be a resource of this type on which `isPermitted` says yes. */
export function isEverPermitted(powers: Grant, action: Action, resourceType: ResourceType): boolean {
  if (mayEver(powers.permissions, action, resourceType)) return true
  const asOwner = asOwnerQuestion(powers, { action, resourceType })
  return asOwner !== null && mayEver(powers.permissions, asOwner.action, resourceType)
}

/** Which items of a list a token may see: some whoever owns them, and some because the acting identity does. */
export type ItemVisibility = { anybodys: IdSelection; own: (IdSelection & { identityId: string }) | null }

/** The items of a list that a page, search or count shows (contract 1.2): those that `isPermitted` lets be viewed. */
export function itemSight(powers: Grant, listId: string): ItemVisibility {
  const question = { action: 'view', resourceType: 'item', listId } as const
  const anybodys = selectItems(powers.permissions, question)
  const asOwner = asOwnerQuestion(powers, question)
  if (!asOwner || !powers.identity) return { anybodys, own: null }
  return { anybodys, own: { ...selectItems(powers.permissions, asOwner), identityId: powers.identity.id } }
}

/** What has an owner: items, and with them their events. */
const owned: ReadonlySet<ResourceType> = new Set<ResourceType>(['item', 'event'])

const ownerForms: { [action in Action]?: Action } = {
  create: 'create-with-identity',
  view: 'view-with-identity',
  update: 'update-with-identity',
  delete: 'delete-with-identity',
  restore: 'restore-with-identity',
}

/** The question about the acting identity's own item, or its events; rules may select it by identity and group. */
function asOwnerQuestion({ identity }: Grant, question: AccessRequest): AccessRequest | null {
  const action = ownerForms[question.action]
  if (!identity || !action || !owned.has(question.resourceType)) return null
  return { ...question, action, identityId: identity.id, group: identity.groupName }
}
