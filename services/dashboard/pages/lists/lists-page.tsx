import { useRef } from 'preact/hooks'
import { contains } from '../../../../client/src/filters.ts'
import { here, navigate } from '../../address/location.ts'
import { withQuery } from '../../address/pattern.ts'
import { client } from '../../api/client.ts'
import { useResource } from '../../api/resource.ts'
import { Button, LinkButton } from '../../parts/button.tsx'
import { Page } from '../../parts/page.tsx'
import { usePageKeys } from '../../parts/page-keys.ts'
import { Empty, Loaded } from '../../parts/problem.tsx'
import { countOf } from '../../parts/text.tsx'
import { ListTable } from './list-table.tsx'

const pageSize = 100

/** All lists of the account, in groups by their scope. */
export function ListsPage() {
  const text = here.value.query.get('name') ?? ''
  const number = Number(here.value.query.get('page') ?? 1)
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
      foot={lists.data && lists.data.total > pageSize && <Pages number={number} total={lists.data.total} />}
    >
      {!isEmpty && <Find text={text} />}
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

function Find({ text }: { text: string }) {
  const field = useRef<HTMLInputElement>(null)
  usePageKeys([{ key: '/', what: 'Find a list by its name', run: () => field.current?.focus() }])
  const find = (name: string) => navigate(withQuery(here.value, { name: name || null, page: null }), { replace: true })
  return (
    <div class="bar">
      <input
        ref={field}
        class="input narrow"
        type="search"
        aria-label="Find a list by its name"
        placeholder="Find by name"
        value={text}
        onInput={({ currentTarget }) => find(currentTarget.value)}
      />
    </div>
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

function Pages({ number, total }: { number: number; total: number }) {
  const last = Math.ceil(total / pageSize)
  const go = (page: number) => navigate(withQuery(here.value, { page: String(page) }))
  return (
    <>
      <span>
        Page {number} of {last}
      </span>
      <div class="grow" />
      <Button kind="quiet" disabled={number <= 1} onPress={() => go(number - 1)}>
        Previous
      </Button>
      <Button disabled={number >= last} onPress={() => go(number + 1)}>
        Next
      </Button>
    </>
  )
}
