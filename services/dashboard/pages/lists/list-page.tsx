import type { ComponentChildren } from 'preact'
import { route } from '#client/src/transport.ts'
import type { List } from '#client/src/types/resources.ts'
import { client } from '../../api/client.ts'
import { itemsIn } from '../../api/items-in.ts'
import type { Resource } from '../../api/reader.ts'
import { useResource } from '../../api/resource.ts'
import { LinkButton } from '../../parts/controls/button.tsx'
import { Tabs } from '../../parts/controls/tabs.tsx'
import { Pill } from '../../parts/display/marks.tsx'
import { count } from '../../parts/display/text.tsx'
import { listsCrumb } from '../../parts/page/crumbs.ts'
import { Page } from '../../parts/page/page.tsx'
import { Empty, Problem, Skeleton } from '../../parts/problems/problem.tsx'
import { ListMarks } from './list-table.tsx'

/** The parts of a list that have a page, in the order of their tabs. `path` follows `/lists/<list>` in the address. */
const parts = [
  { path: '', label: 'Items' },
  { path: '/schema', label: 'Schema' },
  { path: '/indexes', label: 'Indexes' },
  { path: '/activity', label: 'Activity' },
  { path: '/settings', label: 'Settings' },
] as const

export type ListPart = (typeof parts)[number]['label']

type ListPageProps = {
  /** Path name or id, from the address. */
  list: string
  /** The tab that is open. */
  part: ListPart
  actions?: ((list: List) => ComponentChildren) | undefined
  /** The content; it may end with a `<footer class="foot">`. */
  children: (list: List) => ComponentChildren
}

/** A page about one list: its head, its tabs and, once the list has been read, its content. */
export function ListPage({ list: name, part, actions, children }: ListPageProps) {
  const { data: list, error, reload } = useList(name)
  if (error?.name === 'REQUESTED_ENTITY_NOT_FOUND') return <NoList name={name} />
  return (
    <Page
      title={list ? list.name || list.pathName : name}
      part={part}
      crumbs={[listsCrumb]}
      marks={list && <Marks list={list} />}
      actions={list && actions?.(list)}
      tabs={<Tabs tabs={parts.map(({ path, label }) => tabOf({ name, path, label, part, list }))} />}
    >
      {error && (
        <div class="pad">
          <Problem error={error} onRetry={reload} />
        </div>
      )}
      {list ? children(list) : !error && <Skeleton />}
    </Page>
  )
}

/** The key of the list of an address. Code that changes the list or its items calls `refresh` with this key. */
export const listKey = (name: string) => `list ${name}`

export function useList(name: string): Resource<List> {
  return useResource(listKey(name), (signal) => client.lists.get(name, { signal }))
}

/** The page for the address of a list that does not exist. */
export function NoList({ name }: { name: string }) {
  return (
    <Page title="List not found" crumbs={[listsCrumb]}>
      <Empty title={`There is no list named ${name}`} action={<LinkButton to="/lists">See all lists</LinkButton>}>
        It may have been renamed or deleted, or it is in another account.
      </Empty>
    </Page>
  )
}

type TabParts = { name: string; path: string; label: ListPart; part: ListPart; list: List | undefined }

const tabOf = ({ name, path, label, part, list }: TabParts) => ({
  to: route`/lists/${name}` + path,
  label,
  count: label === 'Items' && list ? count(itemsIn(list)) : undefined,
  on: label === part,
})

function Marks({ list }: { list: List }) {
  return (
    <>
      {list.name && list.name !== list.pathName && <Pill mono>{list.pathName}</Pill>}
      <ListMarks list={list} />
      {list.scope && <Pill tone="accent">managed by {list.scope}</Pill>}
    </>
  )
}
