import type { Change } from '#shared/json/compare/diff.ts'
import { layOut } from '#shared/json/text/layout.ts'
import { countOf } from './text.tsx'

const mostChanges = 100
const longestText = 2_000

/** Changes of JSON, each with its pointer, its old and its new value. @param nameOf the name to show for a pointer */
export function Diff({ changes, nameOf = (pointer) => pointer }: DiffProps) {
  const more = changes.length - mostChanges
  return (
    <div class="diff">
      {changes.slice(0, mostChanges).map((change) => (
        <div key={`${change.kind} ${change.pointer}`}>
          <div class="mono muted">{nameOf(change.pointer) || 'the whole value'}</div>
          {change.kind === 'keys' ? (
            <p>Only the order or formatting of its keys changed.</p>
          ) : (
            <pre class="code" tabIndex={0}>
              {'from' in change && <Lines text={change.from} sign="-" />}
              {'to' in change && <Lines text={change.to} sign="+" />}
            </pre>
          )}
        </div>
      ))}
      {more > 0 && <p class="muted">{countOf(more, 'more change', 'more changes')}.</p>}
    </div>
  )
}

type DiffProps = { changes: readonly Change[]; nameOf?: (pointer: string) => string }

function Lines({ text, sign }: { text: string; sign: '+' | '-' }) {
  const lines = shortened(text).replace(/^/gm, `${sign} `)
  return sign === '+' ? <ins>{`${lines}\n`}</ins> : <del>{`${lines}\n`}</del>
}

/** Formatted JSON, shortened if it is long. */
export function shortened(text: string): string {
  if (text.length > longestText) return `${text.slice(0, longestText)}… ${countOf(text.length, 'character')}`
  return layOut(text)
}
