import { useState } from 'preact/hooks'
import { here } from '../../address/location.ts'
import { type Tab, Tabs } from '../../parts/controls/tabs.tsx'
import { listsCrumb } from '../../parts/page/crumbs.ts'
import { EmptyList } from './empty-list.tsx'
import { PastedList } from './pasted/pasted-list.tsx'

/** Creates a list: from pasted JSON or empty. A tab links to the document for many lists. */
export function NewListPage() {
  // The pasted text stays while the user looks at another tab.
  const [text, setText] = useState('')
  const isEmpty = here.value.query.get('way') === 'empty'
  const frame = {
    title: 'New list',
    crumbs: [listsCrumb],
    lead: isEmpty
      ? 'It accepts any data until it has a schema.'
      : 'Paste your data to get a proposed schema and indexes. Nothing is created before you confirm.',
    tabs: <Tabs tabs={ways(isEmpty)} />,
  }
  return isEmpty ? <EmptyList frame={frame} /> : <PastedList frame={frame} text={text} onText={setText} />
}

const ways = (isEmpty: boolean): Tab[] => [
  { to: '/new-list', label: 'Paste JSON', on: !isEmpty },
  { to: '/new-list?way=empty', label: 'Empty list', on: isEmpty },
  { to: '/schema', label: 'From a sync document', on: false },
]
