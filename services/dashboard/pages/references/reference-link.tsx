import { route } from '#client/src/transport.ts'
import { hrefOf } from '../../address/location.ts'
import { useTitle } from './use-title.ts'

/** A link to an item, with its title. A text that does not refer to an item is shown unchanged. */
export function ReferenceLink({ list, name }: { list: string; name: string }) {
  const title = useTitle(list, name)
  if (title.isOld || title.data === null || title.data === undefined) return <>{name}</>
  return (
    <a class="link over" href={hrefOf(route`/lists/${list}/items/${name}`)} title={name}>
      {title.data}
    </a>
  )
}
