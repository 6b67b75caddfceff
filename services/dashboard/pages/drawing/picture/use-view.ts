import type { RefObject } from 'preact'
import { useEffect, useRef, useState } from 'preact/hooks'

/** The visible part of a drawing: moved by x and y, and scaled by k. */
export type View = { x: number; y: number; k: number }

const margin = 20
const scales = { least: 0.25, most: 2, leastFit: 0.7 }

/** The view before the element has a size. */
const unmeasured = { width: 400, height: 300 }

type Point = { x: number; y: number }
type Size = { width: number; height: number }

/** Moves and scales a drawing within its element. Until the user does so, the whole drawing is shown if it stays readable. */
export function useView(svg: RefObject<SVGSVGElement | null>, scene: Size) {
  const [size, setSize] = useState<Size | null>(null)
  const [moved, setMoved] = useState<View | null>(null)
  useEffect(() => {
    const element = svg.current
    if (!element) return
    const watch = new ResizeObserver(() => setSize({ width: element.clientWidth, height: element.clientHeight }))
    watch.observe(element)
    return () => watch.disconnect()
  }, [])
  const view = moved ?? fitting(scene, size ?? unmeasured)
  const latest = useRef({ view, size })
  latest.current = { view, size }
  // Several moves may happen before the next render.
  const move = (now: View) => {
    latest.current = { ...latest.current, view: now }
    setMoved(now)
  }
  /** @param at the fixed point; absent: the middle. @param from the previous place of that point, if it moves too */
  const zoom = (factor: number, at?: Point, from?: Point) => {
    const { view: now, size: seen } = latest.current
    const { x, y } = at ?? { x: (seen ?? unmeasured).width / 2, y: (seen ?? unmeasured).height / 2 }
    const k = Math.min(scales.most, Math.max(scales.least, now.k * factor))
    const was = from ?? { x, y }
    move({ k, x: x - ((was.x - now.x) * k) / now.k, y: y - ((was.y - now.y) * k) / now.k })
  }
  return {
    view,
    zoom,
    fit: () => setMoved(null),
    pan: (dx: number, dy: number) =>
      move({ ...latest.current.view, x: latest.current.view.x + dx, y: latest.current.view.y + dy }),
    /** Scrolls a box into view if it is not visible. */
    show({ x, y, width, height }: Size & { x: number; y: number }) {
      const { view: now, size: seen } = latest.current
      if (!seen) return
      const [left, top] = [(x - width / 2) * now.k + now.x, y * now.k + now.y]
      const isSeen = left >= 0 && top >= 0 && left + width * now.k <= seen.width && top + height * now.k <= seen.height
      if (!isSeen) move({ ...now, x: seen.width / 2 - x * now.k, y: seen.height / 2 - (y + height / 2) * now.k })
    },
  }
}

function fitting(scene: Size, size: Size): View {
  const k = Math.min(1, (size.width - 2 * margin) / scene.width, (size.height - 2 * margin) / scene.height)
  const scale = Math.max(scales.leastFit, k)
  const across = (size.width - scene.width * scale) / 2
  return { k: scale, x: across, y: Math.max(margin, (size.height - scene.height * scale) / 2) }
}
