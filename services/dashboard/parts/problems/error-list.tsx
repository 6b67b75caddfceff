import type { ComponentChildren } from 'preact'
import { Note, type Tone } from '../display/marks.tsx'
import { countOf } from '../display/text.tsx'

/** A message about a place in a text: an offset, and its line and column, counted from 1. */
export type PlacedMessage = { from: number; line: number; column: number; message: string }

type ErrorListProps = {
  title: ComponentChildren
  errors: readonly PlacedMessage[]
  onGo: (at: number) => void
  tone?: Tone
}

const mostShown = 50

/** The errors of an edited text, each with a button that goes to its place. */
export function ErrorList({ title, errors, onGo, tone = 'bad' }: ErrorListProps) {
  return (
    <Note tone={tone}>
      <b role="status">{title}</b>
      <ul class="errors">
        {errors.slice(0, mostShown).map(({ from, line, column, message }) => (
          <li key={`${from} ${message}`}>
            <button type="button" class="link" onClick={() => onGo(from)}>
              Line {line}, column {column}
            </button>{' '}
            {message}
          </li>
        ))}
      </ul>
      {errors.length > mostShown && <p>And {countOf(errors.length - mostShown, 'more error', 'more errors')}.</p>}
    </Note>
  )
}
