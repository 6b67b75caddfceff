import { route } from '#client/src/transport.ts'
import { client } from '#services/dashboard/api/client.ts'
import { useResource } from '#services/dashboard/api/resource.ts'
import { unlessGone } from '#services/dashboard/api/unless-gone.ts'
import { LinkButton } from '#services/dashboard/parts/controls/button.tsx'
import { Note, Pill } from '#services/dashboard/parts/display/marks.tsx'
import { Ago } from '#services/dashboard/parts/display/text.tsx'
import type { Crumb } from '#services/dashboard/parts/page/crumbs.ts'
import { Page } from '#services/dashboard/parts/page/page.tsx'
import { Empty, Loaded } from '#services/dashboard/parts/problems/problem.tsx'
import { itemsKey } from '../../lists/list-items.ts'
import { isDeletion } from '../restore-item.ts'
import { HistoryTab } from './history-tab.tsx'

/** The page for an id without an item: the history of the deleted item, if the event log still has it. */
export function DeletedItem({ list, id, crumbs }: { list: string; id: string; crumbs: readonly Crumb[] }) {
  const last = useResource(`${itemsKey(list)}last ${id}`, async (signal) => {
    const nothing = { data: [] }
    const { data } = await unlessGone(client.list(list).events(id, { limit: 1, signal }).after(), nothing)
    return { deletion: data.find(isDeletion) ?? null }
  })
  const deletion = last.data?.deletion
  return (
    <Page title={deletion ? 'Deleted item' : 'Item'} crumbs={crumbs} marks={<Pill mono>{id}</Pill>}>
      <Loaded resource={last}>
        {() =>
          deletion ? (
            <>
              <div class="pad">
                <Note tone="warn">
                  This item was deleted <Ago at={deletion.createdAt} />. You can restore it under its id while the event
                  log keeps its last state.
                </Note>
              </div>
              <HistoryTab list={list} id={id} isDeleted />
            </>
          ) : (
            <Empty
              title={`No item of ${list} has this id`}
              action={<LinkButton to={route`/lists/${list}`}>See its items</LinkButton>}
            >
              The event log has no entry of it, or no longer has one.
            </Empty>
          )
        }
      </Loaded>
    </Page>
  )
}
