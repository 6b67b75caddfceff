import { useState } from 'preact/hooks'
import { FormDialog } from '#services/dashboard/forms/form-dialog.tsx'
import { Choice } from '#services/dashboard/parts/controls/field.tsx'
import { cannotConnect, type PortOf } from '#shared/domain/flow/edit/change-edges.ts'
import { type DrawnFlow, type DrawnNode, nextOf } from '#shared/domain/flow/edit/drawn-flow.ts'
import { onlyPort } from '#shared/domain/flow/language/flow.ts'

type LeadsDialogProps = {
  flow: DrawnFlow
  node: DrawnNode
  /** The new target of each port; null: none. Unchanged ports are left out. */
  onLead: (changes: readonly (readonly [port: string, to: string | null])[]) => void
  onClose: () => void
}

const noSaving = { busy: false, problems: new Map(), other: undefined }

/** Sets the target of each port of a node. */
export function LeadsDialog({ flow, node, onLead, onClose }: LeadsDialogProps) {
  const present = nextOf(flow, node.key)
  const [wanted, setWanted] = useState<ReadonlyMap<string, string>>(new Map())
  const send = () =>
    onLead([...wanted].flatMap(([port, to]) => (to === (present.get(port) ?? '') ? [] : [[port, to || null] as const])))
  return (
    <FormDialog title={`Connect ${node.key}`} action="Connect" saving={noSaving} onSend={send} onClose={onClose}>
      {node.ports.map((port, n) => (
        <Choice
          key={port}
          label={port === onlyPort ? 'Goes to' : `${port} goes to`}
          value={wanted.get(port) ?? present.get(port) ?? ''}
          onValue={(to) => setWanted(new Map(wanted).set(port, to))}
          autofocus={n === 0}
          choices={targetsOf(flow, { node: node.key, port })}
        />
      ))}
    </FormDialog>
  )
}

function targetsOf(flow: DrawnFlow, from: PortOf) {
  const targets = flow.nodes.flatMap(({ id, type }) => {
    if (id === null || id === from.node) return []
    const isRing = cannotConnect(flow, from, id) !== null
    return [{ value: id, label: isRing ? `${id}: would form a loop` : `${id}, ${type}`, disabled: isRing }]
  })
  return [{ value: '', label: 'nowhere: ends the run' }, ...targets]
}
