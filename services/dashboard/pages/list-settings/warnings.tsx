import { Note } from '../../parts/marks.tsx'
import { sentence } from '../../parts/text.tsx'

/** What an answer to a write says of what was set and is hardly what was meant. */
export function Warnings({ warnings }: { warnings: readonly string[] }) {
  if (warnings.length === 0) return null
  return (
    <Note tone="warn">
      {warnings.map((warning) => (
        <p key={warning}>{sentence(warning)}</p>
      ))}
    </Note>
  )
}
