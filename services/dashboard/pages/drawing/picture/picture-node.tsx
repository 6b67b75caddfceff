import { nextOf } from '#shared/domain/flow/edit/drawn-flow.ts'
import { onlyPort } from '#shared/domain/flow/language/flow.ts'
import type { Placed } from '../layout/layout.ts'
import { moreOf, type SceneNode } from '../layout/scene.ts'
import type { PictureProps } from './picture-props.ts'
import { stepWords, tookWords } from './step-words.ts'

type EntryNode = Placed & { title: string; isEntry: true }
type NodeProps = PictureProps & { node: EntryNode | (SceneNode & { isEntry: false }); isStop: boolean }

/** A node of a drawing, or the entry: a button that selects it. Its accessible name says what the drawing shows. */
export function PictureNode({ node, chosen, onChoose, findings = new Map(), way, flow, isStop }: NodeProps) {
  const { key, x, y, width, height, title, isEntry } = node
  const found = findings.get(key) ?? []
  const isWrong = found.some(({ severity }) => severity === 'error')
  const step = way?.steps.get(key)
  const isChosen = chosen?.node === key && !('port' in chosen)
  const look = [
    isEntry && 'entry',
    isChosen && 'chosen',
    found.length > 0 && (isWrong ? 'bad' : 'warn'),
    way && !isEntry && (step ? (way.failedAt === key ? 'bad' : 'good') : 'left'),
  ]
  const more = isEntry ? '' : step ? `${node.type} · ${tookWords(step)}` : moreOf(node)
  const words = [
    title,
    !isEntry && moreOf(node),
    step && stepWords(step, way?.failedAt === key),
    ...found.map(({ message }) => message),
  ]
  return (
    <g class={['drawn-node', ...look].filter(Boolean).join(' ')} data-node={key}>
      <g
        role="button"
        tabIndex={isStop ? 0 : -1}
        aria-pressed={isChosen}
        aria-label={[...words, isEntry ? '' : leadsWords(flow, key)].filter(Boolean).join('. ')}
        onFocus={() => chosen?.node !== key && onChoose({ node: key })}
      >
        <rect x={x - width / 2} y={y} width={width} height={height} rx={isEntry ? height / 2 : 8} />
      </g>
      <title aria-hidden="true">{[title, ...found.map(({ message }) => message)].join('\n')}</title>
      <text aria-hidden="true" class={isEntry ? 'more' : 'name'} x={x} y={y + (isEntry ? 18 : 20)}>
        {cut(title, width, isEntry ? 6.3 : 7.6)}
      </text>
      {!isEntry && (
        <text aria-hidden="true" class="more" x={x} y={y + 36}>
          {cut(more, width, 5.8)}
        </text>
      )}
      {found.length > 0 && <Badge x={x + width / 2} y={y} look={isWrong ? 'bad' : 'warn'} text="!" />}
      {step && <Badge x={x - width / 2} y={y} look={way?.failedAt === key ? 'bad' : 'good'} text={String(step.n)} />}
    </g>
  )
}

function Badge({ x, y, look, text }: { x: number; y: number; look: string; text: string }) {
  return (
    <g class={`badge ${look}`} aria-hidden="true">
      <circle cx={x} cy={y} r={9} />
      <text x={x} y={y + 4}>
        {text}
      </text>
    </g>
  )
}

const cut = (text: string, width: number, each: number) => {
  const most = Math.floor((width - 16) / each)
  return text.length > most ? `${text.slice(0, most - 1)}…` : text
}

/** The edges of a node, in words. */
export function leadsWords(flow: PictureProps['flow'], key: string): string {
  const ports = flow.nodes.find((node) => node.key === key)?.ports ?? []
  const next = nextOf(flow, key)
  if (ports.length === 0) return 'ends the run'
  return ports
    .map((port) => {
      const to = next.get(port)
      const where = to === undefined ? 'ends the run' : `goes to ${to}`
      return port === onlyPort ? where : `${port} ${where}`
    })
    .join(', ')
}
