import { type DrawnNode, nextOf } from '#shared/domain/flow/edit/drawn-flow.ts'
import { onlyPort } from '#shared/domain/flow/language/flow.ts'
import { entryKey, moreOf } from '../layout/scene.ts'
import { readingOrder } from '../layout/way.ts'
import type { PictureProps } from './picture-props.ts'
import { stepWords } from './step-words.ts'

/** A flow as a list, with the content of its drawing. The nodes are in the order in which a run reaches them. */
export function Outline(props: PictureProps) {
  const { flow, entry, chosen, onChoose, findings = new Map() } = props
  const byKey = new Map(flow.nodes.map((node) => [node.key, node]))
  return (
    <ol class="outline" aria-label="Outline of the flow">
      {entry !== null && (
        <li class={chosen?.node === entryKey ? 'on' : undefined}>
          <button type="button" class="link mono" onClick={() => onChoose({ node: entryKey })}>
            {entry}
          </button>
          <Found found={findings.get(entryKey)} />
        </li>
      )}
      {readingOrder(flow).map((key) => {
        const node = byKey.get(key)
        return node && <Entry key={key} {...props} node={node} />
      })}
    </ol>
  )
}

function Entry({ node, flow, chosen, onChoose, findings, way }: PictureProps & { node: DrawnNode }) {
  const { key, id, ports } = node
  const step = way?.steps.get(key)
  const next = nextOf(flow, key)
  const isFailed = way?.failedAt === key
  return (
    <li class={[chosen?.node === key && 'on', way && !step && 'left'].filter(Boolean).join(' ')}>
      <button
        type="button"
        class="link mono"
        aria-pressed={chosen?.node === key}
        onClick={() => onChoose({ node: key })}
      >
        {id ?? key}
      </button>{' '}
      <span class="muted">{moreOf(node)}</span>
      {step && <span class={isFailed ? 'bad' : 'muted'}> · {stepWords(step, isFailed)}</span>}
      <Found found={findings?.get(key)} />
      <p class="muted small">
        {ports.length === 0 && 'ends the run'}
        {ports.map((port) => (
          <Leads key={port} port={port} to={next.get(port)} onChoose={onChoose} />
        ))}
      </p>
    </li>
  )
}

type LeadsProps = { port: string; to: string | undefined; onChoose: PictureProps['onChoose'] }

function Leads({ port, to, onChoose }: LeadsProps) {
  return (
    <span class="leads">
      {port !== onlyPort && <code>{port}: </code>}
      {to === undefined ? (
        'ends the run'
      ) : (
        <>
          goes to{' '}
          <button type="button" class="link" onClick={() => onChoose({ node: to })}>
            {to}
          </button>
        </>
      )}
    </span>
  )
}

function Found({ found = [] }: { found: ReturnType<NonNullable<PictureProps['findings']>['get']> }) {
  return (
    <>
      {found.map(({ message, severity }) => (
        <p key={message} class={severity === 'error' ? 'bad small' : 'warn small'}>
          {message}
        </p>
      ))}
    </>
  )
}
