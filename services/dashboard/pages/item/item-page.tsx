import { useMemo } from 'preact/hooks'
import { route } from '#client/src/transport.ts'
import { here, navigate } from '../../address/location.ts'
import { withQuery } from '../../address/pattern.ts'
import { Link, LinkButton } from '../../parts/controls/button.tsx'
import { Tabs } from '../../parts/controls/tabs.tsx'
import { LeaveGuard } from '../../parts/dialogs/leave-guard.tsx'
import { Note, Pill } from '../../parts/display/marks.tsx'
import { itemCrumbs } from '../../parts/page/crumbs.ts'
import { Page } from '../../parts/page/page.tsx'
import { usePageKeys } from '../../parts/page/page-keys.ts'
import { UnreadPage } from '../../parts/page/unread-page.tsx'
import { Empty } from '../../parts/problems/problem.tsx'
import { aliasOf, titleOf } from '../lists/item-title.ts'
import { neighbourOf } from '../lists/list-items.ts'
import { ApiTab } from './api-tab.tsx'
import { DataTab } from './data/data-tab.tsx'
import { MergeDialog } from './data/merge-dialog.tsx'
import { useItemDraft } from './data/use-item-draft.ts'
import { DetailsTab } from './details-tab.tsx'
import { DeletedItem } from './history/deleted-item.tsx'
import { HistoryTab } from './history/history-tab.tsx'
import type { ItemText } from './item-text.ts'
import { useIndexFacts, useItem } from './use-item.ts'

/**
 * One item: its data, history, details and API examples. `?tab=history`, `details` or `api` opens another tab than the data. The tabs
 * share one page, so that unsaved input stays. The history also reads `event`, `with` and `after`.
 * @param item id or alias
 */
export function ItemPage({ list, item: name }: { list: string; item: string }) {
  const item = useItem(list, name)
  const isGone = item.error?.name === 'REQUESTED_ENTITY_NOT_FOUND'
  // An open item stays: it may have a draft.
  if (item.data) return <OneItem key={item.data.id} list={list} name={name} item={item.data} isGone={isGone} />
  if (isGone) return <NoItem list={list} name={name} />
  return <UnreadPage title={name} crumbs={itemCrumbs(list)} resource={item} />
}

const tabs = ['data', 'history', 'details', 'api'] as const
type Tab = (typeof tabs)[number]
const labels: Record<Tab, string> = { data: 'Data', history: 'History', details: 'Details', api: 'API' }

type OneItemProps = { list: string; name: string; item: ItemText; isGone: boolean }

function OneItem({ list, name, item, isGone }: OneItemProps) {
  const { aliasPointer, guarded } = useIndexFacts(list)
  const alias = useMemo(() => aliasOf(item.data, aliasPointer), [item.data, aliasPointer])
  const title = useMemo(() => titleOf(item, alias), [item, alias])
  const tab = tabs.find((one) => one === here.value.query.get('tab')) ?? 'data'
  const shared = { list, item, title, alias, guarded }
  const draft = useItemDraft({ list, name, item, aliasPointer })
  const go = (step: 1 | -1) => {
    const next = neighbourOf(list, item.id, step)
    if (next) navigate(withQuery({ path: route`/lists/${list}/items/${next}`, query: here.value.query }, onlyTab))
  }
  usePageKeys([
    { key: '[', what: 'Previous item of the open table', run: () => go(-1) },
    { key: ']', what: 'Next item', run: () => go(1) },
  ])
  return (
    <Page
      title={title}
      part={labels[tab]}
      crumbs={itemCrumbs(list)}
      marks={<Marks item={item} alias={alias} />}
      tabs={
        <Tabs
          tabs={tabs.map((one) => ({
            to: withQuery(
              { path: here.value.path, query: new URLSearchParams() },
              { tab: one === 'data' ? null : one },
            ),
            label: labels[one],
            on: one === tab,
          }))}
        />
      }
    >
      {isGone && <Gone list={list} id={item.id} />}
      {tab === 'data' && <DataTab {...shared} draft={draft} />}
      {tab === 'history' && <HistoryTab list={list} id={item.id} isDeleted={false} />}
      {tab === 'details' && <DetailsTab {...shared} />}
      {tab === 'api' && <ApiTab list={list} name={alias ?? item.id} data={item.data} />}
      {draft.isChanged && <LeaveGuard what={`Your changes to ${title}`} />}
      {draft.merge && <MergeDialog {...draft.merge} busy={draft.busy} />}
    </Page>
  )
}

/** The parameters of the address that belong to a single item: they are dropped when another item opens. */
const onlyTab = { event: null, with: null, after: null }

function Gone({ list, id }: { list: string; id: string }) {
  return (
    <div class="pad">
      <Note tone="warn">
        This address no longer has an item: it was deleted, or its alias changed.{' '}
        <Link to={route`/lists/${list}/items/${id}`}>Find it by its id</Link>
      </Note>
    </div>
  )
}

function Marks({ item, alias }: { item: ItemText; alias: string | null }) {
  return (
    <>
      {alias !== null && <Pill mono>{alias}</Pill>}
      <Pill>{item.version}</Pill>
      {!item.activated && <Pill tone="warn">draft</Pill>}
      {item.readonly && <Pill icon="lock">readonly</Pill>}
      {item.locked && <Pill icon="lock">locked</Pill>}
    </>
  )
}

const isId = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/

function NoItem({ list, name }: { list: string; name: string }) {
  if (isId.test(name)) return <DeletedItem list={list} id={name} crumbs={itemCrumbs(list)} />
  return (
    <Page title="Item not found" crumbs={itemCrumbs(list)}>
      <Empty
        title={`No item of ${list} has the name ${name}`}
        action={<LinkButton to={route`/lists/${list}`}>See its items</LinkButton>}
      >
        It may have a different alias now, or it was deleted. Find a deleted item by its id.
      </Empty>
    </Page>
  )
}
