import type { PortOf } from '#shared/domain/flow/edit/change-edges.ts'
import type { DrawnFlow } from '#shared/domain/flow/edit/drawn-flow.ts'
import type { Found } from '../layout/findings-on.ts'
import type { Chosen } from '../layout/scene.ts'
import type { Way } from '../layout/way.ts'

/** The props of a drawing and of an outline. */
export type PictureProps = {
  flow: DrawnFlow
  /** The text of the entry; null: it cannot be read. */
  entry: string | null
  chosen: Chosen
  onChoose: (chosen: Chosen) => void
  /** Called by Enter or a double click: goes to the selected node or edge in the text. */
  onOpen: (chosen: Chosen) => void
  findings?: ReadonlyMap<string, readonly Found[]> | undefined
  way?: Way | undefined
  /** Absent if the drawing is read-only. */
  edits?: PictureEdits | undefined
}

/** Changes by pointer and keys in the drawing. */
export type PictureEdits = {
  onAddAt: (port: PortOf) => void
  onConnect: (port: PortOf, to: string) => void
  onUndo: () => void
  onRedo: () => void
}
