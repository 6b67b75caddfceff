import type { Hint } from './hints.ts'
import { type ResumePoint, writeResumePoint } from './position.ts'

// Frames of server-sent events, as text. A blank line ends each.

/** Why the client's state may be outdated: it must fetch again; later frames are new changes. */
export type ResetReason = 'too-old' | 'too-many' | 'changed'
/** Why the stream ends: the credentials are no longer valid, the gateway stops, or the reader is too far behind. */
export type EndReason = 'revoked' | 'restart' | 'lagging'

/** The first frame. @param resumed whether the stream continues after the event that the client named */
export function readyFrame(at: ResumePoint, facts: { lists: readonly string[] | null; resumed: boolean }): string {
  return placed(at, frame('ready', JSON.stringify(facts)))
}

export function resetFrame(at: ResumePoint, reason: ResetReason): string {
  return placed(at, frame('reset', JSON.stringify({ reason })))
}

/** @param retryMs how long the client waits before it opens another stream */
export function endFrame(reason: EndReason, retryMs: number): string {
  return `retry: ${retryMs}\n${frame('end', JSON.stringify({ reason, retryMs }))}`
}

/** Keeps the connection alive and carries the position to continue from. The client does not see it as an event. */
export function heartbeat(at: ResumePoint): string {
  return `: heartbeat\n${placed(at, '')}\n`
}

/** A hint that something has changed, so that the client reads it again. It has no id, because hints are not sent again. */
export function hintFrame(hint: Hint): string {
  return frame('changed', JSON.stringify(hint))
}

/** A change of a list or an item. */
export type ChangeFrame = {
  eventId: string
  type: string
  listId: string
  itemId: string | null
  /** The revision of the item after the change; null for a list. */
  revision: number | null
  /** Epoch milliseconds. */
  createdAt: number
  /** JSON text; undefined: the client may not see it. */
  actor: string | undefined
  /** JSON text. */
  model: string
}

/** A change as a frame without its `id`, which differs for each client. */
export function changeFrame({ eventId, type, listId, itemId, revision, createdAt, actor, model }: ChangeFrame): string {
  const head = JSON.stringify({
    eventId,
    listId,
    ...(itemId !== null && { itemId, revision }),
    createdAt: new Date(createdAt).toISOString(),
  })
  const by = actor === undefined ? '' : `,"actor":${actor}`
  return frame(type, `${head.slice(0, -1)}${by},"model":${model}}`)
}

/** A frame with the position from which a client that has seen it continues. */
export function placed(at: ResumePoint, frame: string): string {
  return `id: ${writeResumePoint(at)}\n${frame}`
}

/** @param data JSON text; line breaks in it begin new `data` lines */
function frame(event: string, data: string): string {
  return `event: ${event}\ndata: ${data.replace(/\r\n|\r|\n/g, '\ndata: ')}\n\n`
}
