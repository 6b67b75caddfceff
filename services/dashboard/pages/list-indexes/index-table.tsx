import { route } from '#client/src/transport.ts'
import type { Index, List } from '#client/src/types/resources.ts'
import { hrefOf } from '../../address/location.ts'
import { Pill } from '../../parts/display/marks.tsx'
import { Table } from '../../parts/display/table.tsx'
import { count } from '../../parts/display/text.tsx'
import { FailedBuild } from './failed-build.tsx'
import { roles } from './index-draft.ts'

type TableProps = { name: string; list: List; indexes: readonly Index[] }

/** Indexes as rows, each a link. Below an index whose build failed is the cause. */
export function IndexTable({ name, list, indexes }: TableProps) {
  return (
    <Table columns={['index', 'pointer', 'type', 'roles', 'state']}>
      <tbody>
        {indexes.map((index) => (
          <>
            <IndexRow key={index.id} name={name} index={index} />
            {index.buildStatus === 'failed' && (
              <tr key={`${index.id} failed`} class="index-failed">
                <td colSpan={5}>
                  <FailedBuild name={name} list={list} index={index} />
                </td>
              </tr>
            )}
          </>
        ))}
      </tbody>
    </Table>
  )
}

function IndexRow({ name, index }: { name: string; index: Index }) {
  return (
    <tr>
      <td class="lead mono">
        <a href={hrefOf(`${route`/lists/${name}/indexes`}?index=${encodeURIComponent(index.pathName)}`)}>
          {index.pathName}
        </a>
      </td>
      <td class="mono under">{index.pointer || 'the whole data'}</td>
      <td class="muted optional">{index.valueType}</td>
      <td class="aside">
        <span class="row">
          {roles
            .filter((role) => index[role])
            .map((role) => (
              <Pill key={role} icon={role === 'guard' ? 'lock' : undefined}>
                {role}
              </Pill>
            ))}
          {!index.activated && <Pill tone="warn">switched off</Pill>}
          {index.scope !== null && <Pill tone="accent">{index.scope}</Pill>}
        </span>
      </td>
      <td class="when">
        <BuildState index={index} />
      </td>
    </tr>
  )
}

/** Whether the index can be used, and the progress of its build. */
export function BuildState({ index: { buildStatus, pathName, progress } }: { index: Index }) {
  if (buildStatus === 'ready') return <Pill tone="good">ready</Pill>
  if (buildStatus === 'failed') return <Pill tone="bad">failed</Pill>
  return (
    <span class="row" role="status">
      <Pill tone="warn">building</Pill>
      <progress aria-label={`Build of ${pathName}`} max={progress?.total ?? 1} value={progress?.done} />
      {progress && (
        <span class="muted small">
          {count(progress.done)} of {count(progress.total)}
        </span>
      )}
    </span>
  )
}
