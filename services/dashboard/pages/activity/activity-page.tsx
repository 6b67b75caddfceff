import { client } from '../../api/client.ts'
import { itemsKey } from '../lists/list-items.ts'
import { ListPage } from '../lists/list-page.tsx'
import { Activity } from './activity.tsx'

/** The activity of a list. */
export function ActivityPage({ list: name }: { list: string }) {
  return (
    <ListPage list={name} part="Activity">
      {() => (
        <div class="settings">
          <Activity of={`${itemsKey(name)}activity`} read={(options) => client.lists.stats(name, options)} />
        </div>
      )}
    </ListPage>
  )
}
