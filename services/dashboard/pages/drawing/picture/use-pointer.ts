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
  zoom: (factor: number, at: Point, from?: Point) => void
  props: Pick<PictureProps, 'onChoose' | 'onOpen' | 'edits'>
}

/** The target and position of the last pointer press; `hasMoved`: it is a drag, not a click. */
type Held = { on: 'port' | 'ground'; port: PortOf | null; start: Point; last: Point; hasMoved: boolean }

const leastMove = 4

/**
 * Pointer control of a drawing: a click selects, dragging the background moves the drawing, dragging a port to a node connects, and two
 * fingers zoom and move.
 */
export function usePointer({ svg, view, pan, zoom, props }: PointerProps) {
  const held = useRef<Held | null>(null)
  const [dragged, setDragged] = useState<{ from: Point; to: Point } | null>(null)
  const drop = () => {
    held.current = null
    setDragged(null)
  }
  const inScene = ({ x, y }: Point): Point => {
    const { left = 0, top = 0 } = svg.current?.getBoundingClientRect() ?? {}
    return { x: (x - left - view.x) / view.k, y: (y - top - view.y) / view.k }
  }
  const pinch = usePinch(svg, zoom)
  const onPointerDown = (event: PointerEvent) => {
    if (event.button !== 0) return
    if (pinch.begin(event)) return drop()
    const port = props.edits ? portAt(event.target) : null
    const at = { x: event.clientX, y: event.clientY }
    held.current = { on: port ? 'port' : 'ground', port, start: at, last: at, hasMoved: false }
  }
  const onPointerMove = (event: PointerEvent) => {
    if (pinch.move(event)) return
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
    pinch.end(event)
    const now = held.current
    drop()
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
    onPointerCancel: (event: PointerEvent) => {
      pinch.end(event)
      drop()
    },
    onDblClick: ({ target }: MouseEvent) => choose(target, props.onOpen),
    onWheel: (event: WheelEvent) => {
      if (!event.ctrlKey) return
      event.preventDefault()
      zoom(wheelFactor(event), within(svg, { x: event.clientX, y: event.clientY }))
    },
  }
  return { dragged, handlers }
}

/** A wheel notch is one step. A pinch on a touchpad arrives as many small steps. */
const wheelFactor = ({ deltaY }: WheelEvent) => Math.exp(-Math.max(-10, Math.min(10, deltaY)) / 100)

/** Converts a point of the window to one of the drawing's element. */
function within(svg: RefObject<SVGSVGElement | null>, { x, y }: Point): Point {
  const { left = 0, top = 0 } = svg.current?.getBoundingClientRect() ?? {}
  return { x: x - left, y: y - top }
}

/** Zooms by two fingers: by the ratio of their distances, around the point in the middle. */
function usePinch(svg: RefObject<SVGSVGElement | null>, zoom: PointerProps['zoom']) {
  const fingers = useRef(new Map<number, Point>())
  const pair = (): { middle: Point; distance: number } | null => {
    const [one, other] = fingers.current.values()
    if (!one || !other) return null
    const middle = { x: (one.x + other.x) / 2, y: (one.y + other.y) / 2 }
    return { middle, distance: Math.max(1, Math.hypot(one.x - other.x, one.y - other.y)) }
  }
  return {
    /** @returns whether it is the second finger */
    begin({ pointerId, pointerType, clientX: x, clientY: y }: PointerEvent): boolean {
      if (pointerType !== 'touch') return false
      if (fingers.current.size >= 2) return true
      fingers.current.set(pointerId, { x, y })
      return fingers.current.size === 2
    },
    /** @returns whether two fingers are down, so that the pointer does nothing else */
    move({ pointerId, clientX: x, clientY: y }: PointerEvent): boolean {
      const before = pair()
      if (fingers.current.has(pointerId)) fingers.current.set(pointerId, { x, y })
      const after = pair()
      if (!before || !after) return false
      zoom(after.distance / before.distance, within(svg, after.middle), within(svg, before.middle))
      return true
    },
    end({ pointerId }: PointerEvent): void {
      fingers.current.delete(pointerId)
    },
  }
}

function portAt(target: EventTarget | null): PortOf | null {
  const { portOf, port } = (target instanceof Element && target.closest<SVGElement>('[data-port-of]')?.dataset) || {}
  return portOf === undefined || port === undefined ? null : { node: portOf, port }
}

/** The clicked node or edge. */
function choose(target: EventTarget | null, onChosen: PictureProps['onChoose']): void {
  if (!(target instanceof Element)) return
  const node = target.closest<SVGElement>('[data-node]')?.dataset.node
  const { edgeOf, port } = target.closest<SVGElement>('[data-edge-of]')?.dataset ?? {}
  if (node !== undefined) onChosen({ node })
  else if (edgeOf !== undefined && port !== undefined) onChosen({ node: edgeOf, port })
}
