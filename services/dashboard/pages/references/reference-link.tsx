import { route } from '#client/src/transport.ts'
import { hrefOf } from '../../address/location.ts'
import { useTitle } from './use-title.ts'

/** An item that is referred to, by its title. What names no item is shown as it is. */
export function ReferenceLink({ list, name }: { list: string; name: string }) {
  const title = useTitle(list, name)
  if (title.isOld || title.data === null || title.data === undefined) return <>{name}</>
  return (
    <a class="link over" href={hrefOf(route`/lists/${list}/items/${name}`)} title={name}>
      {title.data}
    </a>
  )
}
