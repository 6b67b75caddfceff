import { useResource } from '../../api/resource.ts'
import { LinkButton } from '../../parts/controls/button.tsx'
import { Page } from '../../parts/page/page.tsx'
import { Empty, Loaded } from '../../parts/problems/problem.tsx'
import { ListTable } from '../lists/list-table.tsx'
import { readChangedLists } from './changed-lists.ts'
import { FirstSteps } from './first-steps.tsx'
import { NeedsList, useAccountState, WellParts } from './needs-list.tsx'

/** What needs attention, the first steps in a new account, the last 24 hours, and the recently changed lists. */
export function HomePage() {
  const state = useAccountState()
  const changed = useResource('lists changed', readChangedLists)
  const LastDay = useResource('script of the last day', loadLastDay).data
  const lists = changed.data?.lists
  return (
    <Page title="Home" lead={state.data && leadOf(state.data.needs.length)}>
      <div class="wrap">
        <NeedsList state={state} />
        {lists && <FirstSteps lists={lists.map(({ list }) => list)} />}
        {changed.data && changed.data.lists.length > 0 && LastDay && <LastDay stats={changed.data.stats} />}
        <div class="row">
          <h2 class="grow">Recently changed lists</h2>
          <LinkButton to="/new-list" icon="add">
            New list
          </LinkButton>
        </div>
        <div class="card">
          <Loaded resource={changed}>
            {({ lists }) =>
              lists.length > 0 ? (
                <ListTable
                  lists={lists.map(({ list }) => list)}
                  changedAt={new Map(lists.map(({ list, changedAt }) => [list.id, changedAt]))}
                />
              ) : (
                <Empty title="No lists yet" command="listd schema apply lists.json">
                  A list holds items of one kind. Paste some JSON, and listd proposes a schema and indexes.
                </Empty>
              )
            }
          </Loaded>
        </div>
        {state.data && <WellParts health={state.data.health} />}
      </div>
    </Page>
  )
}

/** The charts are loaded after the page. */
const loadLastDay = async () => (await import('./last-day.tsx')).LastDay

function leadOf(needs: number): string {
  if (needs === 0) return 'Nothing needs your attention.'
  return needs === 1 ? 'One thing needs your attention.' : `${needs} things need your attention, most urgent first.`
}
