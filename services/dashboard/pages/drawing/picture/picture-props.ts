import type { PortOf } from '#shared/domain/flow/edit/change-edges.ts'
import type { DrawnFlow } from '#shared/domain/flow/edit/drawn-flow.ts'
import type { Found } from '../layout/findings-on.ts'
import type { Chosen } from '../layout/scene.ts'
import type { Way } from '../layout/way.ts'

/** What a drawing, and an outline, is given. */
export type PictureProps = {
  flow: DrawnFlow
  /** What starts it, in words; null: nothing that can be read. */
  entry: string | null
  chosen: Chosen
  onChoose: (chosen: Chosen) => void
  /** Enter, or a double click: goes to what is chosen. */
  onOpen: (chosen: Chosen) => void
  findings?: ReadonlyMap<string, readonly Found[]> | undefined
  way?: Way | undefined
  /** Absent: it is only looked at. */
  edits?: PictureEdits | undefined
}

/** What can be changed by the pointer and by keys in the drawing itself. */
export type PictureEdits = {
  onAddAt: (port: PortOf) => void
  onConnect: (port: PortOf, to: string) => void
  onUndo: () => void
  onRedo: () => void
}
