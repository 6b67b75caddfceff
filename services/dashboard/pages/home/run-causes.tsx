import { route } from '#client/src/transport.ts'
import type { AccountStats } from '#client/src/types/user-resources.ts'
import { client } from '../../api/client.ts'
import { useResource } from '../../api/resource.ts'
import { unlessGone } from '../../api/unless-gone.ts'
import { Meters } from '../../parts/display/meters.tsx'

const mostCauses = 5

type RunCause = AccountStats['runCauses'][number]

/** The causes of failed and rejected runs, most frequent first. */
export function RunCauses({ causes }: { causes: AccountStats['runCauses'] }) {
  const shown = causes.slice(0, mostCauses)
  const ids = [...new Set(shown.map(({ flowId }) => flowId))]
  const names = useResource(
    `flow names ${ids}`,
    async (signal) => new Map(await Promise.all(ids.map((id) => nameOf(id, signal)))),
  )
  if (!names.data) return null
  return (
    <Meters title="Why runs failed" rows={shown.map((cause) => rowOf(cause, names.data?.get(cause.flowId) ?? null))} />
  )
}

/** The causes are shown even if a name cannot be read. */
async function nameOf(id: string, signal: AbortSignal): Promise<[id: string, name: string | null]> {
  const flow = await unlessGone(client.flowDefinitions.get(id, { signal }), null).catch(() => nameless)
  return [id, flow?.name ?? null]
}

const nameless = { name: 'a flow whose name could not be read' }

/** @param name of the flow; null: it was deleted */
function rowOf({ flowId, status, code, count }: RunCause, name: string | null) {
  return {
    name: code ?? 'an unrecorded cause',
    more: `${status === 'refused' ? 'rejected by' : 'in'} ${name ?? 'a deleted flow'}`,
    count,
    to: name === null ? `/runs?status=${status}` : route`/flows/${flowId}?tab=runs&status=${status}`,
  }
}
