import { isObject } from '#shared/json/is-object.ts'
import { isId } from '../../id.ts'
import { isPathName, pathNameKey } from '../../path-name.ts'
import type { FoundNode } from './nodes.ts'
import type { Place } from './read-value.ts'

/** The names in the account that documents may use. An absent property is not checked. */
export type KnownNames = {
  /** The keys (`pathNameKey`) of its lists, at least of those that the document names. */
  lists?: ReadonlySet<string>
  /** The ids of its webhooks, at least of those that the document names; `unseen`: the caller may not see webhooks. */
  webhooks?: ReadonlySet<string> | 'unseen'
}

/** The keys of the lists and the ids of the webhooks that a flow names, without duplicates. */
export type NamedByFlow = { lists: readonly string[]; webhooks: readonly string[] }

/** The names in a parsed document, valid or not, to look up before it is checked. */
export function namedBy(document: unknown): NamedByFlow {
  return namesOf(isObject(document) && Array.isArray(document.nodes) ? document.nodes : [])
}

/** @param nodes as they are in the document */
export function namesOf(nodes: readonly unknown[]): NamedByFlow {
  const objects = nodes.filter(isObject)
  return {
    lists: [...new Set(objects.flatMap(({ list }) => (isListName(list) ? pathNameKey(list) : [])))],
    webhooks: [
      ...new Set(objects.flatMap(({ webhooks }) => (Array.isArray(webhooks) ? webhooks.filter(isWebhookId) : []))),
    ],
  }
}

function isListName(list: unknown): list is string {
  return typeof list === 'string' && isPathName(list)
}

function isWebhookId(id: unknown): id is string {
  return typeof id === 'string' && isId(id)
}

/** Reports lists and webhooks that nodes name but the account does not have. */
export function addUnknownNames(nodes: readonly FoundNode[], { lists, webhooks }: KnownNames): void {
  for (const { raw, place } of nodes) {
    const { list, webhooks: ids } = raw
    if (lists && isListName(list) && !lists.has(pathNameKey(list))) addUnknownList(place.at('list'), list, lists)
    if (webhooks && Array.isArray(ids)) addUnknownWebhooks(place.at('webhooks'), ids, webhooks)
  }
}

function addUnknownWebhooks(place: Place, ids: readonly unknown[], webhooks: ReadonlySet<string> | 'unseen'): void {
  if (webhooks === 'unseen') {
    if (ids.some(isWebhookId)) place.warning('UNSEEN_WEBHOOKS', 'were not looked up: that needs a signed-in user')
    return
  }
  for (const [n, id] of ids.entries())
    if (isWebhookId(id) && !webhooks.has(id)) place.at(n).error('UNKNOWN_WEBHOOK', 'is not a webhook of the account')
}

function addUnknownList(place: Place, list: string, lists: ReadonlySet<string>): void {
  place.error('UNKNOWN_LIST', `is not a list of the account${place.hint(list, lists)}`)
}
