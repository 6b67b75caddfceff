import type { Event } from '#client/src/main.ts'
import { printable } from '../../terminal/listing.ts'

/** An event as a line for people: the time, the type, the resource, the actor, and details. */
export function eventLine({ createdAt, type, modelId, version, actor, attachments = {} }: Event): string {
  const details = Object.keys(attachments).length > 0 ? JSON.stringify(attachments) : ''
  const cells = [createdAt, type.padEnd(typeWidth), modelId, version ?? '', actorText(actor), details]
  return printable(cells.filter((cell) => cell !== '').join('  '))
}

/** Fits most types. */
const typeWidth = 16

function actorText(actor: Event['actor']): string {
  if (actor === null) return 'by the service'
  if (actor.authMode === 'user') return `by ${actor.userName ?? 'a user'}`
  if (actor.authMode === 'flow') return `by flow ${actor.flowId} in run ${actor.runId}`
  const identity = actor.identityId === null ? '' : ` as identity ${actor.identityId}`
  return `by token ${actor.tokenId}${identity}`
}
