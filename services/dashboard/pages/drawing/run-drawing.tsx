import type { ComponentChildren } from 'preact'
import { useMemo, useState } from 'preact/hooks'
import { readDrawnFlow } from '#shared/domain/flow/edit/drawn-flow.ts'
import { entryWordsIn } from './layout/entry-words.ts'
import { type Chosen, entryKey } from './layout/scene.ts'
import { type WayStep, wayOf } from './layout/way.ts'
import { Views } from './views.tsx'

export type RunDrawingProps = {
  /** The document of the run. */
  document: string
  steps: readonly WayStep[]
  /** The node at which it failed; null: it did not fail, or not at a node. */
  failedAt: string | null
  /** The outline: a list with the content of the drawing. */
  outline: ComponentChildren
  /** The details of a node, or of the entry (null), in this run. */
  about: (node: string | null) => ComponentChildren
}

/** A run drawn over its flow: its path, and the values of the selected node. */
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
