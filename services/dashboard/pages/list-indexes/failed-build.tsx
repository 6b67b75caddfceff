import { eq } from '#client/src/filters.ts'
import { route } from '#client/src/transport.ts'
import type { Index, List } from '#client/src/types/resources.ts'
import { client } from '../../api/client.ts'
import { useResource } from '../../api/resource.ts'
import { useSaving } from '../../forms/use-saving.ts'
import { Button, Link } from '../../parts/controls/button.tsx'
import { Note } from '../../parts/display/marks.tsx'
import { Loaded, Problem } from '../../parts/problems/problem.tsx'
import { indexesKey } from '../lists/list-indexes.ts'

/** The cause of a failed build, from its event. */
type Failure = {
  message?: string
  /** Values that more than one item has. */
  duplicates?: { value: string; itemIds: string[] }[]
  /** Items whose value cannot be an alias. */
  items?: { itemId: string; message: string }[]
}

/** Why a build has failed, the items that caused it, and a button to try again. */
export function FailedBuild({ name, list, index }: { name: string; list: List; index: Index }) {
  const { run, busy, error } = useSaving()
  const { indexes } = client.list(name)
  const failure = useResource(`index failure ${index.id} ${index.updatedAt}`, async (signal): Promise<Failure> => {
    const failed = { where: { type: eq('index-build-failed') }, limit: 1, signal }
    const last = await indexes.events(index.id, failed).first()
    return last ? ((await indexes.event(index.id, last.id, { signal })).attachments ?? {}) : {}
  })
  const again = () => run(() => indexes.rebuild(index.id), { stale: indexesKey(name) })
  return (
    <Note tone="bad">
      <Loaded resource={failure}>{(why) => <Why list={list} why={why} />}</Loaded>
      {error && <Problem error={error} />}
      <p>Change these items, then build it again. Until then the index cannot be used.</p>
      <div class="row">
        <Button icon="again" busy={busy} disabled={list.readonly} onPress={again}>
          Build it again
        </Button>
      </div>
    </Note>
  )
}

function Why({ list, why }: { list: List; why: Failure }) {
  return (
    <>
      <b>{why.message ?? 'The build failed.'}</b>
      <Duplicates list={list} duplicates={why.duplicates ?? []} />
      <ul>
        {why.items?.map(({ itemId, message }) => (
          <li key={itemId}>
            <ItemLink list={list} id={itemId} /> {message}
          </li>
        ))}
      </ul>
    </>
  )
}

/** Values, each with links to some of the items that have it. */
export function Duplicates({ list, duplicates }: { list: List; duplicates: NonNullable<Failure['duplicates']> }) {
  return (
    <ul class="failing">
      {duplicates.map(({ value, itemIds }) => (
        <li key={value}>
          <code>{value}</code>:{' '}
          {itemIds.slice(0, mostLinks).map((id, n) => (
            <>
              {n > 0 && ', '}
              <ItemLink key={id} list={list} id={id} />
            </>
          ))}
          {itemIds.length > mostLinks && ' and more'}
        </li>
      ))}
    </ul>
  )
}

const mostLinks = 3

/** A link to an item, with the end of its id: the part that differs most. */
function ItemLink({ list, id }: { list: List; id: string }) {
  return (
    <Link to={route`/lists/${list.pathName}/items/${id}`}>
      <code>…{id.slice(-12)}</code>
    </Link>
  )
}
