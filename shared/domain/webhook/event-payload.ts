import type { Actor } from '../actor.ts'
import { type Item, serializeItem, serializeItemFields } from '../item/item.ts'
import { maxPayloadDataBytes } from '../limits.ts'
import type { ListReference } from '../list/fields.ts'
import type { ItemEventType } from './event-types.ts'

export type ItemEvent = {
  id: string
  type: ItemEventType
  /** Epoch milliseconds. */
  createdAt: number
  list: ListReference
  item: Item
  /** The item with its data as JSON text (`serializeItem`), where it has been built already. */
  itemText?: string
  /** The item before the change, where the type of the event has one. */
  previous?: Item
  actor: Actor
}

/**
 * The body of an event's deliveries (specification, Event payload). These bytes are stored, signed and sent unchanged: data is
 * its source text, never parsed and serialized again. Guarded values are included on purpose.
 */
export function eventPayload({ id, type, createdAt, list, item, itemText, previous, actor }: ItemEvent): string {
  const head = JSON.stringify({ id, type, createdAt: new Date(createdAt).toISOString() })
  const { name, pathName } = list
  const listText = JSON.stringify({ id: list.id, name, pathName })
  const previousText = previous ? `"previous":${serializePayloadItem(previous)},` : ''
  const data = `{"list":${listText},"item":${serializePayloadItem(item, itemText)},${previousText}"actor":${serializeActor(actor)}}`
  return `${head.slice(0, -1)},"data":${data}}`
}

/** The body of the deliveries of an event that a flow has emitted (contract 2.7). @param payload JSON text, sent as it is */
export function emitPayload({
  id,
  createdAt,
  flow,
  runId,
  payload,
  actor,
}: {
  id: string
  createdAt: number
  flow: { id: string; name: string }
  runId: string
  payload: string
  actor: Actor
}): string {
  const head = JSON.stringify({ id, type: 'flow.emit', createdAt: new Date(createdAt).toISOString() })
  const data = `{"flow":${JSON.stringify({ id: flow.id, name: flow.name })},"runId":"${runId}","payload":${payload},"actor":${serializeActor(actor)}}`
  return `${head.slice(0, -1)},"data":${data}}`
}

/** Data above the limit is omitted, for the item and for its previous state separately. */
function serializePayloadItem(item: Item, text?: string): string {
  if (item.size > maxPayloadDataBytes) return serializeItemFields(item, { data: '"data":null,"dataOmitted":true' })
  return text ?? serializeItem(item, { includeData: true })
}

const serializeActor = (actor: Actor) => JSON.stringify(payloadActor(actor))

/** The author of a change, as payloads have it (contract 2.7): receivers do not see which user it was. */
export function payloadActor(actor: Actor) {
  const { authMode, tokenId, identityId } = actor
  const flow = actor.authMode === 'flow' ? { flowId: actor.flowId, runId: actor.runId } : {}
  return { authMode, tokenId, identityId, ...flow }
}
