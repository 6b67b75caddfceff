import type { RefObject } from 'preact'
import { useRef, useState } from 'preact/hooks'
import type { PortOf } from '#shared/domain/flow/edit/change-edges.ts'
import type { PictureProps } from './picture-props.ts'
import type { View } from './use-view.ts'

type Point = { x: number; y: number }

type PointerProps = {
  svg: RefObject<SVGSVGElement | null>
  view: View
  pan: (dx: number, dy: number) => void
  zoom: (factor: number, at: Point) => void
  props: Pick<PictureProps, 'onChoose' | 'onOpen' | 'edits'>
}

/** What the pointer went down on, and where; `hasMoved`: it is no click any more. */
type Held = { on: 'port' | 'ground'; port: PortOf | null; start: Point; last: Point; hasMoved: boolean }

const leastMove = 4

/** Chooses by a click, moves the drawing by dragging its ground, and connects by dragging a port to a node. */
export function usePointer({ svg, view, pan, zoom, props }: PointerProps) {
  const held = useRef<Held | null>(null)
  const [dragged, setDragged] = useState<{ from: Point; to: Point } | null>(null)
  const inScene = ({ x, y }: Point): Point => {
    const { left = 0, top = 0 } = svg.current?.getBoundingClientRect() ?? {}
    return { x: (x - left - view.x) / view.k, y: (y - top - view.y) / view.k }
  }
  const onPointerDown = (event: PointerEvent) => {
    if (event.button !== 0) return
    const port = props.edits ? portAt(event.target) : null
    const at = { x: event.clientX, y: event.clientY }
    held.current = { on: port ? 'port' : 'ground', port, start: at, last: at, hasMoved: false }
  }
  const onPointerMove = (event: PointerEvent) => {
    const now = held.current
    if (!now) return
    const at = { x: event.clientX, y: event.clientY }
    if (!now.hasMoved && Math.hypot(at.x - now.start.x, at.y - now.start.y) < leastMove) return
    if (!now.hasMoved) svg.current?.setPointerCapture(event.pointerId)
    if (now.port) setDragged({ from: inScene(now.start), to: inScene(at) })
    else pan(at.x - now.last.x, at.y - now.last.y)
    held.current = { ...now, last: at, hasMoved: true }
  }
  const onPointerUp = (event: PointerEvent) => {
    const now = held.current
    held.current = null
    setDragged(null)
    if (!now) return
    const under = document.elementFromPoint(event.clientX, event.clientY)
    const node = under?.closest<SVGElement>('[data-node]')?.dataset.node
    if (now.port && !now.hasMoved) props.edits?.onAddAt(now.port)
    else if (now.port && node) props.edits?.onConnect(now.port, node)
    else if (!now.hasMoved) choose(event.target, props.onChoose)
  }
  const handlers = {
    onPointerDown,
    onPointerMove,
    onPointerUp,
    onPointerCancel: () => {
      held.current = null
      setDragged(null)
    },
    onDblClick: ({ target }: MouseEvent) => choose(target, props.onOpen),
    onWheel: (event: WheelEvent) => {
      if (!event.ctrlKey) return
      event.preventDefault()
      const { left = 0, top = 0 } = svg.current?.getBoundingClientRect() ?? {}
      zoom(event.deltaY < 0 ? 1.1 : 1 / 1.1, { x: event.clientX - left, y: event.clientY - top })
    },
  }
  return { dragged, handlers }
}

function portAt(target: EventTarget | null): PortOf | null {
  const { portOf, port } = (target instanceof Element && target.closest<SVGElement>('[data-port-of]')?.dataset) || {}
  return portOf === undefined || port === undefined ? null : { node: portOf, port }
}

/** The node or the edge that a click is on. */
function choose(target: EventTarget | null, onChosen: PictureProps['onChoose']): void {
  if (!(target instanceof Element)) return
  const node = target.closest<SVGElement>('[data-node]')?.dataset.node
  const { edgeOf, port } = target.closest<SVGElement>('[data-edge-of]')?.dataset ?? {}
  if (node !== undefined) onChosen({ node })
  else if (edgeOf !== undefined && port !== undefined) onChosen({ node: edgeOf, port })
}
