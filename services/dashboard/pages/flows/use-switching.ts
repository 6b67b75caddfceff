import { useEffect, useState } from 'preact/hooks'
import type { FlowDefinitionRow, FlowFields } from '#client/src/types/flow-resources.ts'
import { client } from '../../api/client.ts'
import { useAction } from '../../forms/use-saving.ts'
import { countOf } from '../../parts/display/text.tsx'

type Switches = Pick<FlowFields, 'activated' | 'logged'>

/** Changes settings of a flow apart from its document, at once. `shown`: as it will be, while the change is on its way. */
export function useSwitching({ id, name, activated, logged, updatedAt }: FlowDefinitionRow) {
  const { busy, act } = useAction()
  const [wanted, setWanted] = useState<Switches>({})
  useEffect(() => setWanted({}), [updatedAt])
  const change = async (fields: Switches) => {
    setWanted(fields)
    const isTaken = await act(() => client.flowDefinitions.update(id, fields), {
      said: ({ diagnostics = [] }) => {
        const bad = diagnostics.length > 0
        const found = bad ? ` Its check has ${countOf(diagnostics.length, 'finding')}; see its document.` : ''
        return { text: saidOf(name, fields) + found, bad }
      },
      stale: 'flow',
    })
    if (!isTaken) setWanted({})
  }
  return { busy, change, shown: { activated, logged, ...wanted } }
}

function saidOf(name: string, { activated, logged }: Switches): string {
  if (activated !== undefined) return activated ? `${name} runs again.` : `${name} is switched off: calls are 404.`
  return logged === 'all' ? 'All runs are kept on record.' : 'Runs that succeed are no longer kept on record.'
}
