import { contains } from '#client/src/filters.ts'
import { client } from '../../api/client.ts'
import { useResource } from '../../api/resource.ts'
import { LinkButton } from '../../parts/controls/button.tsx'
import { nameSought } from '../../parts/page/find-by-name.tsx'
import { NamedPage } from '../../parts/page/named-page.tsx'
import { pageNumber } from '../../parts/page/numbered-pages.tsx'
import { Empty } from '../../parts/problems/problem.tsx'
import { ListTable } from './list-table.tsx'

const pageSize = 100

/** All lists of the account, in groups by their scope. */
export function ListsPage() {
  const text = nameSought()
  const number = pageNumber()
  const lists = useResource(`lists page ${number} ${text}`, (signal) =>
    client.lists
      .all({ where: text ? { name: contains(text) } : {}, order: 'name', direction: 'asc', limit: pageSize, signal })
      .page(number),
  )
  return (
    <NamedPage
      title="Lists"
      what="a list"
      many="lists"
      things={lists}
      pageSize={pageSize}
      actions={<NewList />}
      empty={<NoLists />}
    >
      {(data) => <ListTable lists={data} grouped />}
    </NamedPage>
  )
}

function NewList() {
  return (
    <LinkButton to="/new-list" kind="primary" icon="add">
      New list
    </LinkButton>
  )
}

function NoLists() {
  return (
    <Empty title="A list holds items of one kind" action={<NewList />} command="listd schema apply lists.json">
      Paste some JSON to get a proposed schema and indexes, or start with an empty list.
    </Empty>
  )
}
