import type { ComponentChildren } from 'preact'
import { useMemo, useState } from 'preact/hooks'
import { readDrawnFlow } from '#shared/domain/flow/edit/drawn-flow.ts'
import { entryWordsIn } from './layout/entry-words.ts'
import { type Chosen, entryKey } from './layout/scene.ts'
import { type WayStep, wayOf } from './layout/way.ts'
import { Views } from './views.tsx'

export type RunDrawingProps = {
  /** The document that was run. */
  document: string
  steps: readonly WayStep[]
  /** The node where it failed; null: it did not, or at no node. */
  failedAt: string | null
  /** What says in an order what the drawing shows. */
  outline: ComponentChildren
  /** What is known of a node, or of the entry (null), in this run. */
  about: (node: string | null) => ComponentChildren
}

/** A run drawn over its flow: the way it took, and its values where a node is chosen. */
export function RunDrawing({ document, steps, failedAt, outline, about }: RunDrawingProps) {
  const flow = useMemo(() => readDrawnFlow(document), [document])
  const entry = useMemo(() => flow && entryWordsIn(document, flow), [flow])
  const way = useMemo(() => wayOf(steps, failedAt), [steps, failedAt])
  const [chosen, setChosen] = useState<Chosen>({ node: failedAt ?? steps.at(-1)?.node ?? entryKey })
  if (!flow) return <>{outline}</>
  const choose = (now: Chosen) => setChosen(now)
  return (
    <section class="drawing" aria-label="Drawing">
      <Views
        picture={{ flow, entry, chosen, onChoose: choose, onOpen: choose, way }}
        outline={<div class="run-steps">{outline}</div>}
        below={<div class="run-steps">{about(chosen && chosen.node !== entryKey ? chosen.node : null)}</div>}
      />
    </section>
  )
}
