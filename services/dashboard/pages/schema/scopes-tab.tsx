import { useState } from 'preact/hooks'
import { route } from '#client/src/transport.ts'
import type { List } from '#client/src/types/resources.ts'
import { here, hrefOf, navigate } from '../../address/location.ts'
import { withQuery } from '../../address/pattern.ts'
import { client } from '../../api/client.ts'
import { itemsIn } from '../../api/items-in.ts'
import { useResource } from '../../api/resource.ts'
import { Button, LinkButton } from '../../parts/controls/button.tsx'
import { count, countOf } from '../../parts/display/text.tsx'
import { Empty, Loaded } from '../../parts/problems/problem.tsx'
import { exportAddress } from './export-query.ts'
import { type Moved, MoveTo } from './move-to.tsx'

const pageSize = 100

/** The lists by the scope that manages them, with actions to move them to another scope. */
export function ScopesTab() {
  const number = Number(here.value.query.get('page') ?? 1)
  const [picked, setPicked] = useState<ReadonlySet<string>>(new Set())
  const [moved, setMoved] = useState<Moved | null>(null)
  const lists = useResource(`lists by scope ${number}`, (signal) =>
    client.lists.all({ order: 'scope', direction: 'asc', limit: pageSize, signal }).page(number),
  )
  const toggle = (id: string) => {
    const others = [...picked].filter((one) => one !== id)
    setPicked(new Set(picked.has(id) ? others : [...others, id]))
  }
  return (
    <>
      <Loaded resource={lists}>
        {({ data, total }) =>
          data.length === 0 ? (
            <Empty title="There are no lists" command="listd schema apply lists.json">
              A list belongs to the scope whose document declared it. No other document can change it.
            </Empty>
          ) : (
            <>
              <ByScope lists={data} picked={picked} onToggle={toggle} onMove={setMoved} />
              {total > pageSize && <Pages number={number} last={Math.ceil(total / pageSize)} />}
            </>
          )
        }
      </Loaded>
      {picked.size > 0 && (
        <footer class="foot">
          <span class="grow">{countOf(picked.size, 'list')} picked</span>
          <Button kind="quiet" onPress={() => setPicked(new Set())}>
            Pick none
          </Button>
          <Button onPress={() => setMoved({ lists: [...picked] })}>Move to another scope…</Button>
        </footer>
      )}
      {moved && (
        <MoveTo
          what={moved}
          onClose={() => setMoved(null)}
          onMoved={() => {
            setMoved(null)
            setPicked(new Set())
          }}
        />
      )}
    </>
  )
}

type ByScopeProps = {
  lists: readonly List[]
  picked: ReadonlySet<string>
  onToggle: (id: string) => void
  onMove: (what: Moved) => void
}

function ByScope({ lists, picked, onToggle, onMove }: ByScopeProps) {
  return (
    <div class="wrap scopes">
      {[...Map.groupBy(lists, ({ scope }) => scope)].map(([scope, ofScope]) => (
        <section key={scope} class="card">
          <header>
            <h2 class="grow">{scope === null ? 'Without a scope' : `Managed by ${scope}`}</h2>
            <LinkButton to={exportAddress({ scope: scope ?? '', tagged: '', lists: '' })} icon="export">
              Export
            </LinkButton>
            {scope !== null && <Button onPress={() => onMove({ fromScope: scope })}>Move all…</Button>}
          </header>
          <table class="table">
            <tbody>
              {ofScope.map((list) => (
                <Row key={list.id} list={list} isPicked={picked.has(list.id)} onToggle={() => onToggle(list.id)} />
              ))}
            </tbody>
          </table>
        </section>
      ))}
    </div>
  )
}

function Row({ list, isPicked, onToggle }: { list: List; isPicked: boolean; onToggle: () => void }) {
  const { name, pathName } = list
  const itemCount = itemsIn(list)
  return (
    <tr class={isPicked ? 'on' : undefined}>
      <td class="pick">
        <input type="checkbox" aria-label={`Pick ${pathName}`} checked={isPicked} onChange={onToggle} />
      </td>
      <td class="gives">
        <a class="link" href={hrefOf(route`/lists/${pathName}`)}>
          {name || pathName}
        </a>{' '}
        {name && name !== pathName && <span class="mono muted">{pathName}</span>}
      </td>
      <td class="num muted">{itemCount === 1 ? '1 item' : `${count(itemCount)} items`}</td>
    </tr>
  )
}

function Pages({ number, last }: { number: number; last: number }) {
  const go = (page: number) => navigate(withQuery(here.value, { page: String(page) }))
  return (
    <div class="bar">
      <span class="grow muted">
        Page {number} of {last}
      </span>
      <Button disabled={number <= 1} onPress={() => go(number - 1)}>
        Previous
      </Button>
      <Button disabled={number >= last} onPress={() => go(number + 1)}>
        Next
      </Button>
    </div>
  )
}
