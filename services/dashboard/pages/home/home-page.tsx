import { client } from '../../api/client.ts'
import { useResource } from '../../api/resource.ts'
import { LinkButton } from '../../parts/button.tsx'
import { Page } from '../../parts/page.tsx'
import { Empty, Loaded } from '../../parts/problem.tsx'
import { ListTable } from '../lists/list-table.tsx'

const mostLists = 10

/** Where one begins: the lists that were changed last. */
export function HomePage() {
  const lists = useResource('lists newest', (signal) =>
    client.lists.all({ order: 'updatedAt', direction: 'desc', limit: mostLists, signal }).page(1),
  )
  return (
    <Page title="Home">
      <div class="wrap">
        <div class="row">
          <h2 class="grow">Lists</h2>
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
                <Empty title="Make your first list" command="listd schema apply lists.json">
                  Paste some JSON, and a schema and indexes are proposed from it.
                </Empty>
              )
            }
          </Loaded>
        </div>
      </div>
    </Page>
  )
}
