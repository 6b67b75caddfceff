import { hrefOf } from '../../address/location.ts'
import { Dot, type Tone } from './marks.tsx'
import { Ago } from './text.tsx'

export type Moment = {
  /** The address that selects it. */
  to: string
  isChosen: boolean
  tone: Tone | 'off'
  title: string
  /** An ISO time. */
  at: string
  /** The actor. */
  by?: string
}

/** The history of a resource, newest first. The selected entry is shown next to it. */
export function Timeline({ label, moments }: { label: string; moments: readonly Moment[] }) {
  return (
    <ol class="timeline" aria-label={label}>
      {moments.map(({ to, isChosen, tone, title, at, by }) => (
        <li key={to}>
          <a href={hrefOf(to)} class={isChosen ? 'on' : undefined} aria-current={isChosen ? 'true' : undefined}>
            <Dot tone={tone} />
            <b>{title}</b>
            <span class="muted">
              <Ago at={at} />
            </span>
            {by !== undefined && <span class="muted who">{by}</span>}
          </a>
        </li>
      ))}
    </ol>
  )
}
