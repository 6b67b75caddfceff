import { route } from '#client/src/transport.ts'
import type { List } from '#client/src/types/resources.ts'
import { here } from '../../address/location.ts'
import { LinkButton } from '../../parts/controls/button.tsx'
import { Empty, Loaded } from '../../parts/problems/problem.tsx'
import { ManagedNote } from '../list-settings/managed-note.tsx'
import { useIndexes } from '../lists/list-indexes.ts'
import { ListPage } from '../lists/list-page.tsx'
import { IndexEditor } from './index-editor.tsx'
import { IndexTable } from './index-table.tsx'

/**
 * The indexes of a list. `?new` starts a new index, `?pointer=` a new index with this pointer, and `?index=` opens an index by path name.
 */
export function IndexesPage({ list: name }: { list: string }) {
  const { query } = here.value
  const begins = query.has('new') || query.has('pointer')
  const opened = begins ? null : query.get('index')
  const isListed = !begins && opened === null
  return (
    <ListPage list={name} part="Indexes" actions={(list) => isListed && !list.readonly && <NewIndex name={name} />}>
      {(list) => (
        <Indexes name={name} list={list} begins={begins} opened={opened} pointer={query.get('pointer') ?? ''} />
      )}
    </ListPage>
  )
}

type IndexesProps = { name: string; list: List; begins: boolean; opened: string | null; pointer: string }

function Indexes({ name, list, begins, opened, pointer }: IndexesProps) {
  const indexes = useIndexes(name)
  return (
    <Loaded resource={indexes}>
      {(all) => {
        const index = all.find(({ pathName }) => pathName === opened) ?? null
        if (begins || index) {
          const others = all.filter((one) => one !== index)
          return <IndexEditor key={index?.id} name={name} list={list} index={index} others={others} pointer={pointer} />
        }
        if (all.length === 0) return <NoIndex name={name} list={list} />
        return (
          <>
            {list.scope !== null && (
              <div class="pad">
                <ManagedNote scope={list.scope} />
              </div>
            )}
            <IndexTable name={name} list={list} indexes={all} />
          </>
        )
      }}
    </Loaded>
  )
}

function NewIndex({ name }: { name: string }) {
  return (
    <LinkButton to={`${route`/lists/${name}/indexes`}?new`} kind="primary" icon="add">
      New index
    </LinkButton>
  )
}

function NoIndex({ name, list }: { name: string; list: List }) {
  return (
    <Empty title="This list has no index yet" action={list.readonly ? undefined : <NewIndex name={name} />}>
      An index covers one value of every item, such as its price. You can order, filter or address items by it, or hide
      it from API tokens.
      {list.readonly && ' The list is readonly: switch that off in its settings first.'}
    </Empty>
  )
}
