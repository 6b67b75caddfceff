import { contains } from '../../../../client/src/filters.ts'
import { client } from '../../api/client.ts'
import { useResource } from '../../api/resource.ts'
import { LinkButton } from '../../parts/button.tsx'
import { FindByName, nameSought } from '../../parts/find-by-name.tsx'
import { NumberedPages, pageNumber } from '../../parts/numbered-pages.tsx'
import { Page } from '../../parts/page.tsx'
import { Empty, Loaded } from '../../parts/problem.tsx'
import { countOf } from '../../parts/text.tsx'
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
  const total = lists.isOld ? undefined : lists.data?.total
  const isEmpty = total === 0 && !text
  return (
    <Page
      title="Lists"
      lead={total !== undefined && !isEmpty ? `${countOf(total, 'list')}${text ? ' with this name' : ''}.` : undefined}
      actions={<NewList />}
      foot={lists.data && lists.data.total > pageSize && <NumberedPages total={lists.data.total} pageSize={pageSize} />}
    >
      {!isEmpty && (
        <div class="bar">
          <FindByName what="a list" />
        </div>
      )}
      <Loaded resource={lists}>
        {({ data }) => (data.length > 0 ? <ListTable lists={data} grouped /> : <None text={text} />)}
      </Loaded>
    </Page>
  )
}

function NewList() {
  return (
    <LinkButton to="/new-list" kind="primary" icon="add">
      New list
    </LinkButton>
  )
}

function None({ text }: { text: string }) {
  if (text) return <Empty title="No list has this name">Names are compared without regard to case.</Empty>
  return (
    <Empty title="A list holds items of one kind" action={<NewList />} command="listd schema apply lists.json">
      Paste some JSON, and a schema and indexes are proposed from it. Or begin with an empty list.
    </Empty>
  )
}
