import { useEffect, useState } from 'preact/hooks'
import type { FlowDefinition, FlowFields } from '#client/src/flow-resources.ts'
import { client } from '../../api/client.ts'
import { refresh, toListdError } from '../../api/resource.ts'
import { announce } from '../../parts/announce.tsx'
import { messageOf } from '../../parts/problem.tsx'
import { countOf } from '../../parts/text.tsx'

type Switches = Pick<FlowFields, 'activated' | 'logged'>

/** Changes what is set of a flow beside its document, at once. `shown`: as it will be, while the change is on its way. */
export function useSwitching({ id, name, activated, logged, updatedAt }: FlowDefinition) {
  const [busy, setBusy] = useState(false)
  const [wanted, setWanted] = useState<Switches>({})
  useEffect(() => setWanted({}), [updatedAt])
  const change = async (fields: Switches) => {
    setBusy(true)
    setWanted(fields)
    await client.flowDefinitions.update(id, fields).then(
      ({ diagnostics = [] }) => {
        const found =
          diagnostics.length > 0 ? ` Its check has ${countOf(diagnostics.length, 'finding')}; see its document.` : ''
        announce(saidOf(name, fields) + found, { bad: found !== '' })
      },
      (failure) => {
        setWanted({})
        announce(messageOf(toListdError(failure)), { bad: true })
      },
    )
    setBusy(false)
    refresh('flow')
  }
  return { busy, change, shown: { activated, logged, ...wanted } }
}

function saidOf(name: string, { activated, logged }: Switches): string {
  if (activated !== undefined) return activated ? `${name} runs again.` : `${name} is switched off: calls are 404.`
  return logged === 'all' ? 'All runs are kept on record.' : 'Runs that succeed are no longer kept on record.'
}
