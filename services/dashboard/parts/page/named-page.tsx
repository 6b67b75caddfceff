import type { ComponentChildren } from 'preact'
import type { Page as NumberedPage } from '#client/src/pages.ts'
import type { Resource } from '../../api/reader.ts'
import { countOf } from '../display/text.tsx'
import { Empty, Loaded } from '../problems/problem.tsx'
import { FindByName, nameSought } from './find-by-name.tsx'
import { NumberedPages } from './numbered-pages.tsx'
import { Page } from './page.tsx'

type NamedPageProps<T> = {
  title: string
  /** The singular with its article, such as "a list". */
  what: string
  many: string
  things: Resource<NumberedPage<T>>
  pageSize: number
  tabs?: ComponentChildren
  /** Not shown while there are no entries: `empty` then has its own action. */
  actions: ComponentChildren
  /** Further filters. */
  filters?: ComponentChildren
  isFiltered?: boolean
  /** Shown when there are no entries at all. */
  empty: ComponentChildren
  /** The table. */
  children: (things: readonly T[]) => ComponentChildren
}

/** A page of named resources: their number, a search by name, and a table in numbered pages. */
export function NamedPage<T>(props: NamedPageProps<T>) {
  const { title, what, many, things, pageSize, tabs, actions, filters, isFiltered = false, empty, children } = props
  const one = what.slice(what.indexOf(' ') + 1)
  const text = nameSought()
  const total = things.isOld ? undefined : things.data?.total
  const isEmpty = total === 0 && !text && !isFiltered
  const none = isFiltered ? `No ${one} matches` : `No ${one} has this name`
  return (
    <Page
      title={title}
      lead={
        total !== undefined && !isEmpty ? `${countOf(total, one, many)}${text ? ' with this name' : ''}.` : undefined
      }
      actions={!isEmpty && actions}
      tabs={tabs}
      foot={
        things.data && things.data.total > pageSize && <NumberedPages total={things.data.total} pageSize={pageSize} />
      }
    >
      {!isEmpty && (
        <div class="bar">
          <FindByName what={what} />
          {filters}
        </div>
      )}
      <Loaded resource={things}>
        {({ data }) => {
          if (data.length > 0) return children(data)
          return isEmpty ? empty : <Empty title={none}>The search ignores case.</Empty>
        }}
      </Loaded>
    </Page>
  )
}
