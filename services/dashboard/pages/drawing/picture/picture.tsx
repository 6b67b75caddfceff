import { useEffect, useMemo, useRef } from 'preact/hooks'
import { Button } from '#services/dashboard/parts/controls/button.tsx'
import { type Chosen, entryKey, neighborBox, type Scene, sceneOf } from '../layout/scene.ts'
import type { Way } from '../layout/way.ts'
import { PictureNode } from './picture-node.tsx'
import { PicturePort } from './picture-port.tsx'
import type { PictureProps } from './picture-props.ts'
import { usePointer } from './use-pointer.ts'
import { useView } from './use-view.ts'

const directions = { ArrowUp: 'up', ArrowDown: 'down', ArrowLeft: 'left', ArrowRight: 'right' } as const

/** A flow as a drawing. It is one Tab stop, and arrow keys move between its nodes. */
export function Picture(props: PictureProps) {
  const { flow, entry, chosen, way, edits } = props
  const svg = useRef<SVGSVGElement>(null)
  const scene = useMemo(() => sceneOf(flow, entry), [flow, entry])
  const { view, zoom, fit, pan, show } = useView(svg, scene)
  const { dragged, handlers } = usePointer({ svg, view, pan, zoom, props })
  const stop = chosen?.node ?? scene.entry?.key ?? scene.nodes[0]?.key
  useShown(svg, scene, chosen, show)
  return (
    <div class="picture">
      <svg
        ref={svg}
        role="group"
        aria-label="Drawing of the flow"
        style={{ height: `${Math.min(scene.height + 48, 620)}px` }}
        onKeyDown={(event) => pressKey(event, { scene, stop, props, zoom, fit })}
        {...handlers}
      >
        <g transform={`translate(${view.x} ${view.y}) scale(${view.k})`}>
          <Edges scene={scene} chosen={chosen} way={way} />
          {scene.entry && (
            <PictureNode node={{ ...scene.entry, isEntry: true }} {...props} isStop={stop === entryKey} />
          )}
          {scene.nodes.map((node) => (
            <PictureNode key={node.key} node={{ ...node, isEntry: false }} {...props} isStop={stop === node.key} />
          ))}
          {scene.ports.map((port) => (
            <PicturePort key={`${port.node} ${port.port}`} port={port} isEdited={edits !== undefined} way={way} />
          ))}
          {dragged && (
            <path
              class="drawn-edge chosen"
              d={`M${dragged.from.x},${dragged.from.y}L${dragged.to.x},${dragged.to.y}`}
            />
          )}
        </g>
      </svg>
      <div class="zoom">
        <Button kind="quiet" name="Zoom out" onPress={() => zoom(0.8)}>
          −
        </Button>
        <Button kind="quiet" name="Zoom in" onPress={() => zoom(1.25)}>
          +
        </Button>
        <Button kind="quiet" name="Fit: show the whole drawing" onPress={fit}>
          fit
        </Button>
      </div>
    </div>
  )
}

/** Scrolls to what is selected elsewhere. If the focus is in the drawing, it moves too. */
function useShown(
  svg: { current: SVGSVGElement | null },
  scene: Scene,
  chosen: Chosen,
  show: ReturnType<typeof useView>['show'],
) {
  const key = chosen?.node
  const hadFocus = useRef(false)
  useEffect(() => {
    const noteFocus = ({ target }: FocusEvent) => {
      // A dialog returns the focus itself.
      if (target instanceof Element && !target.closest('dialog'))
        hadFocus.current = svg.current?.contains(target) === true
    }
    document.addEventListener('focusin', noteFocus)
    return () => document.removeEventListener('focusin', noteFocus)
  }, [])
  useEffect(() => {
    const box = key === entryKey ? scene.entry : scene.nodes.find((node) => node.key === key)
    if (box) show(box)
    // The last focused element may no longer exist, for example a deleted node.
    const isLost = document.activeElement === document.body
    if (hadFocus.current && (isLost || svg.current?.contains(document.activeElement)))
      nodeElement(svg.current, key ?? entryKey)?.focus({ preventScroll: true })
  }, [key, scene])
}

function nodeElement(svg: SVGSVGElement | null, key: string): SVGGElement | null | undefined {
  const nodes = svg?.querySelectorAll<SVGGElement>('[data-node]') ?? []
  return [...nodes].find((one) => one.dataset.node === key)?.querySelector<SVGGElement>('[role="button"]')
}

function Edges({ scene, chosen, way }: { scene: Scene; chosen: Chosen; way: Way | undefined }) {
  const arrows = new Set(scene.edges.map(({ to }) => to))
  const first = scene.nodes[0]
  // Edges that the run took are drawn over the others, which may share a part of their path.
  const isTaken = (edge: { from: string; port: string }) => way?.edges.has(`${edge.from} ${edge.port}`) ?? false
  const edges = scene.edges.toSorted((one, other) => Number(isTaken(one)) - Number(isTaken(other)))
  if (scene.entry && first) arrows.add(first.key)
  return (
    <g aria-hidden="true">
      {scene.entry && <path class={way ? 'drawn-edge taken' : 'drawn-edge'} d={scene.entry.path} />}
      {edges.map(({ from, port, path }) => {
        const isChosen = chosen && 'port' in chosen && chosen.node === from && chosen.port === port
        const look = isChosen ? 'chosen' : isTaken({ from, port }) ? 'taken' : way ? 'left' : ''
        return (
          <g key={`${from} ${port}`} data-edge-of={from} data-port={port}>
            <path class="hit" d={path} />
            <path class={`drawn-edge ${look}`} d={path} />
          </g>
        )
      })}
      {scene.nodes.map(
        ({ key, x, y }) =>
          arrows.has(key) && (
            <path key={key} class="drawn-arrow" d={`M${x - 4},${y - 7}L${x},${y}L${x + 4},${y - 7}`} />
          ),
      )}
    </g>
  )
}

type Pressed = {
  scene: Scene
  stop: string | undefined
  props: PictureProps
  zoom: (factor: number) => void
  fit: () => void
}

function pressKey(event: KeyboardEvent, { scene, stop, props, zoom, fit }: Pressed): void {
  const { chosen, edits, onChoose, onOpen } = props
  const does = (what: () => void) => {
    event.preventDefault()
    event.stopPropagation()
    what()
  }
  if (event.ctrlKey || event.metaKey) {
    const key = event.key.toLowerCase()
    if (edits && key === 'z') does(event.shiftKey ? edits.onRedo : edits.onUndo)
    else if (edits && key === 'y') does(edits.onRedo)
    return
  }
  const direction = Object.entries(directions).find(([key]) => key === event.key)?.[1]
  if (direction) {
    const neighbor = chosen ? neighborBox(scene, chosen.node, direction) : (stop ?? null)
    does(() => neighbor !== null && onChoose({ node: neighbor }))
  } else if (event.key === 'Enter') does(() => onOpen(chosen ?? (stop === undefined ? null : { node: stop })))
  else if (event.key === ' ' && stop !== undefined) does(() => onChoose({ node: stop }))
  else if (event.key === '+') does(() => zoom(1.25))
  else if (event.key === '-') does(() => zoom(0.8))
  else if (event.key === '0') does(fit)
}
