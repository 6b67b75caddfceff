import { client } from '#services/dashboard/api/client.ts'
import { useResource } from '#services/dashboard/api/resource.ts'
import { actorName, readActorNames } from '#services/dashboard/parts/events/actors.ts'
import { itemsKey } from '../../lists/list-items.ts'

/** Who changed an item last. */
export function LastActor({ list, id }: { list: string; id: string }) {
  const last = useResource(`${itemsKey(list)}actor ${id}`, async (signal) => {
    const { data } = await client.list(list).events(id, { limit: 1, signal }).after()
    return { event: data[0], names: await readActorNames(data, signal) }
  })
  const { event, names } = last.data ?? {}
  return event && names ? <>by {actorName(event.actor, names)}</> : null
}
