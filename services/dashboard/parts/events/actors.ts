import type { FlowRunActor } from '#client/src/types/flow-resources.ts'
import type { Event } from '#client/src/types/resources.ts'
import { account, client } from '../../api/client.ts'
import { unlessGone } from '../../api/unless-gone.ts'

type Actor = Event['actor'] | FlowRunActor

/** Names of actors, by `actorKey`. */
export type ActorNames = ReadonlyMap<string, string>

/** Reads the names of tokens, identities and flows, each once. A deleted one gets a text that says so. */
export async function readActorNames(events: readonly { actor?: Actor }[], signal: AbortSignal): Promise<ActorNames> {
  const ids = new Map<string, () => Promise<string>>()
  for (const { actor } of events) {
    if (actor?.authMode === 'flow') {
      const { flowId } = actor
      ids.set(flowId, async () => `flow ${(await client.flowDefinitions.get(flowId, { signal })).name}`)
    }
    if (!actor || actor.authMode === 'flow') continue
    const { tokenId, identityId } = actor
    if (tokenId) ids.set(tokenId, async () => `token ${(await account.tokens.get(tokenId, { signal })).name}`)
    if (identityId) ids.set(identityId, async () => (await client.identities.get(identityId, { signal })).displayName)
  }
  const names = await Promise.all([...ids].map(async ([id, read]) => [id, await nameOf(read(), id.slice(-6))] as const))
  return new Map(names)
}

/** A page is shown even if a name cannot be read. */
function nameOf(read: Promise<string>, end: string): Promise<string> {
  return unlessGone(read, `a deleted actor (${end})`).catch(() => `an actor whose name could not be read (${end})`)
}

export function actorName(actor: Actor, names: ActorNames): string {
  if (!actor) return 'listd'
  if (actor.authMode === 'user') {
    const { userId, userName, identityId } = actor
    const user = userName ?? (userId === undefined ? 'a signed-in user' : `a deleted user (${userId.slice(-6)})`)
    return identityId ? `${user}, as ${names.get(identityId) ?? 'an identity'}` : user
  }
  if (actor.authMode === 'flow') return names.get(actor.flowId) ?? 'a flow'
  const token = names.get(actor.tokenId) ?? 'a token'
  return actor.identityId ? `${names.get(actor.identityId) ?? 'an identity'}, by ${token}` : token
}
