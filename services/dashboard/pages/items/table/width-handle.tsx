import { widthBounds } from './column-widths.ts'

type WidthHandleProps = {
  /** The widths of all columns. */
  tracks: readonly string[]
  /** The index of the column among them. */
  at: number
  /** @param rem null: as wide as its texts */
  onWidth: (rem: number | null) => void
}

/** The edge of a column, for dragging. A double click fits the width to the texts. Keys in a cell of the column also change its width. */
export function WidthHandle({ tracks, at, onWidth }: WidthHandleProps) {
  return (
    <span
      class="edge"
      aria-hidden="true"
      onDblClick={() => onWidth(null)}
      onPointerDown={(event) => {
        event.preventDefault()
        drag(event, { tracks, at, onWidth })
      }}
    />
  )
}

/** The column follows the pointer. Its last width is stored when the pointer is released. */
function drag({ currentTarget: edge, pointerId, clientX }: PointerEvent, { tracks, at, onWidth }: WidthHandleProps) {
  if (!(edge instanceof HTMLElement)) return
  const [head, table] = [edge.closest('th'), edge.closest('table')]
  if (!head || !table) return
  const remPx = Number.parseFloat(getComputedStyle(document.documentElement).fontSize)
  const begin = head.offsetWidth
  let rem: number | null = null
  const move = (event: PointerEvent) => {
    rem = Math.min(widthBounds.most, Math.max(widthBounds.least, (begin + event.clientX - clientX) / remPx))
    table.style.setProperty('--columns', tracks.with(at, `${rem}rem`).join(' '))
  }
  const end = new AbortController()
  const stop = () => {
    end.abort()
    if (rem !== null) onWidth(rem)
  }
  edge.setPointerCapture(pointerId)
  edge.addEventListener('pointermove', move, { signal: end.signal })
  edge.addEventListener('pointerup', stop, { signal: end.signal })
  edge.addEventListener('pointercancel', stop, { signal: end.signal })
}
