import { useEffect, useState } from 'preact/hooks'
import type { FlowDefinitionRow, FlowFields } from '#client/src/types/flow-resources.ts'
import { client } from '../../api/client.ts'
import { useAction } from '../../forms/use-saving.ts'
import { countOf } from '../../parts/display/text.tsx'

type Switches = Pick<FlowFields, 'activated' | 'logged'>

/** Changes settings of a flow, apart from its document, immediately. `shown`: the settings with the change that is being saved. */
export function useSwitching({ id, name, activated, logged, updatedAt }: FlowDefinitionRow) {
  const { busy, act } = useAction()
  const [wanted, setWanted] = useState<Switches>({})
  useEffect(() => setWanted({}), [updatedAt])
  const change = async (fields: Switches) => {
    setWanted(fields)
    const isTaken = await act(() => client.flowDefinitions.update(id, fields), {
      said: ({ diagnostics = [] }) => {
        const bad = diagnostics.length > 0
        const found = bad ? ` Its check has ${countOf(diagnostics.length, 'finding')}: see the Document tab.` : ''
        return { text: saidOf(name, fields) + found, bad }
      },
      stale: 'flow',
    })
    if (!isTaken) setWanted({})
  }
  return { busy, change, shown: { activated, logged, ...wanted } }
}

function saidOf(name: string, { activated, logged }: Switches): string {
  if (activated !== undefined)
    return activated ? `${name} was switched on.` : `${name} was switched off. Calls now fail with 404.`
  return logged === 'all' ? 'All runs are recorded.' : 'Successful runs are no longer recorded.'
}
