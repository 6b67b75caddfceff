import { useState } from 'preact/hooks'
import { Choice } from '#services/dashboard/parts/controls/field.tsx'
import { Dialog } from '#services/dashboard/parts/dialogs/dialog.tsx'
import type { NewNames } from '#shared/domain/flow/edit/beginnings.ts'
import { cannotAdd, type NewPlace } from '#shared/domain/flow/edit/change-nodes.ts'
import type { DrawnFlow } from '#shared/domain/flow/edit/drawn-flow.ts'
import { type NodeType, nodeAbouts, nodeTypes } from '#shared/domain/flow/language/properties.ts'

type AddDialogProps = {
  flow: DrawnFlow
  /** The possible places, with a label for each. The first one is the default. */
  places: readonly (readonly [place: NewPlace, words: string])[]
  names: NewNames
  onAdd: (type: NodeType, at: NewPlace) => void
  onClose: () => void
}

/** Lists all kinds of nodes with a description. A click adds one. */
export function AddDialog({ flow, places, names, onAdd, onClose }: AddDialogProps) {
  const [n, setN] = useState(0)
  const [at, words] = places[n] ?? ['alone', '']
  return (
    <Dialog title="Add a node" onClose={onClose}>
      {places.length > 1 ? (
        <Choice
          label="Where"
          value={String(n)}
          onValue={(value) => setN(Number(value))}
          choices={places.map(([, reported], place) => ({ value: String(place), label: reported }))}
        />
      ) : (
        <p class="muted">{words}</p>
      )}
      <ul class="node-kinds" onKeyDown={moveAmongKinds}>
        {nodeTypes.map((type) => {
          const reason = cannotAdd(flow, type, { at, names })
          return (
            <li key={type}>
              <button
                type="button"
                class="menu-item"
                disabled={reason !== null}
                autofocus={type === nodeTypes[0]}
                onClick={() => onAdd(type, at)}
              >
                <b class="mono">{type}</b>
                <span class="muted">
                  {reason === null ? nodeAbouts[type] : `${nodeAbouts[type]} Not here: ${reason}.`}
                </span>
              </button>
            </li>
          )
        })}
      </ul>
    </Dialog>
  )
}

function moveAmongKinds(event: KeyboardEvent): void {
  const step = { ArrowDown: 1, ArrowUp: -1 }[event.key]
  if (!step || !(event.currentTarget instanceof HTMLElement)) return
  const kinds = [...event.currentTarget.querySelectorAll<HTMLElement>('button:enabled')]
  event.preventDefault()
  kinds[(kinds.indexOf(document.activeElement as HTMLElement) + step + kinds.length) % kinds.length]?.focus()
}
