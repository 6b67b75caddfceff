import type { ScenePort } from '../layout/scene.ts'
import type { Way } from '../layout/way.ts'

/** The start of an edge. Dragging it to a node connects the nodes, and a click adds a node. Keyboard users have buttons for both. */
export function PicturePort({ port, isEdited, way }: { port: ScenePort; isEdited: boolean; way: Way | undefined }) {
  const { node, x, y, label, isOpen, isLeft } = port
  if (!isEdited && label === null) return null
  const isPassed = way && !way.edges.has(`${node} ${port.port}`)
  return (
    <g class={['drawn-port', isOpen && 'open', isPassed && 'left'].filter(Boolean).join(' ')} aria-hidden="true">
      {label !== null && (
        <text class={isLeft ? 'before' : undefined} x={isLeft ? x - 9 : x + 9} y={y + 17}>
          {label}
        </text>
      )}
      {isEdited && (
        <g data-port-of={node} data-port={port.port}>
          <title>
            {isOpen ? 'Drag to a node, or click to add one' : 'Drag to another node, or click to insert one'}
          </title>
          <circle class="hit" cx={x} cy={y} r={12} />
          <circle cx={x} cy={y} r={isOpen ? 7 : 4} />
          {isOpen && <path d={`M${x - 3.5},${y}h7M${x},${y - 3.5}v7`} />}
        </g>
      )}
    </g>
  )
}
