import { route } from '#client/src/transport.ts'
import { here, hrefOf } from '../address/location.ts'
import { stepsOf } from '../address/pattern.ts'
import { client } from '../api/client.ts'
import { useResource } from '../api/resource.ts'

const most = 12

/** The pinned lists and the open one, below "Lists". */
export function PinnedLists() {
  const pinned = useResource('lists pinned', (signal) =>
    client.lists.all({ where: { pinned: true }, order: 'name', direction: 'asc', limit: most, signal }).page(1),
  )
  const [, section, open] = stepsOf(here.value.path) ?? []
  const names = (pinned.data?.data ?? []).map(({ pathName }) => pathName)
  const openName = section === 'lists' && open
  if (openName && !names.includes(openName)) names.push(openName)
  return (
    <>
      {names.map((name) => (
        <a key={name} class={name === openName ? 'below on' : 'below'} href={hrefOf(route`/lists/${name}`)}>
          {name}
        </a>
      ))}
    </>
  )
}
