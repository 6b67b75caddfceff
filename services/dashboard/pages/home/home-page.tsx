import { client } from '../../api/client.ts'
import { useResource } from '../../api/resource.ts'
import { LinkButton } from '../../parts/controls/button.tsx'
import { Page } from '../../parts/page/page.tsx'
import { Empty, Loaded } from '../../parts/problems/problem.tsx'
import { ListTable } from '../lists/list-table.tsx'
import { FirstSteps } from './first-steps.tsx'
import { NeedsList, useAccountState, WellParts } from './needs-list.tsx'

const mostLists = 10

/** What needs somebody, what comes first in a new account, and the lists that were changed last. */
export function HomePage() {
  const state = useAccountState()
  const lists = useResource('lists newest', (signal) =>
    client.lists.all({ order: 'updatedAt', direction: 'desc', limit: mostLists, signal }).page(1),
  )
  return (
    <Page title="Home" lead={state.data && leadOf(state.data.needs.length)}>
      <div class="wrap">
        <NeedsList state={state} />
        {lists.data && <FirstSteps lists={lists.data.data} />}
        <div class="row">
          <h2 class="grow">Lists changed last</h2>
          <LinkButton to="/new-list" icon="add">
            New list
          </LinkButton>
        </div>
        <div class="card">
          <Loaded resource={lists}>
            {({ data }) =>
              data.length > 0 ? (
                <ListTable lists={data} />
              ) : (
                <Empty title="There is no list yet" command="listd schema apply lists.json">
                  A list holds items of one kind. Paste some JSON, and a schema and indexes are proposed from it.
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

function leadOf(needs: number): string {
  if (needs === 0) return 'Nothing needs you.'
  return needs === 1 ? 'One thing needs you.' : `${needs} things need you, the most urgent first.`
}
