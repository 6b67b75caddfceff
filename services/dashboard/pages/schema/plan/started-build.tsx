import { route } from '#client/src/transport.ts'
import { client } from '#services/dashboard/api/client.ts'
import { pollMs } from '#services/dashboard/api/hinted.ts'
import { useResource } from '#services/dashboard/api/resource.ts'
import { Link } from '#services/dashboard/parts/controls/button.tsx'
import { BuildState } from '../../list-indexes/index-table.tsx'
import { startedBuildKey } from './started-build-key.ts'

const everyMs = 2_000

/** The progress of an index build that a plan has started, until it ends. @param props path names of the list and the index */
export function StartedBuild({ list, index }: { list: string; index: string }) {
  const { data } = useResource(
    `${startedBuildKey} ${list} ${index}`,
    (signal) => client.list(list).indexes.get(index, { signal }),
    {
      everyMs: ({ buildStatus }) => (buildStatus === 'building' ? pollMs(everyMs) : null),
    },
  )
  return (
    <>
      {data && <BuildState index={data} />}
      {data?.buildStatus === 'failed' && <Link to={route`/lists/${list}/indexes`}>See why</Link>}
    </>
  )
}
