import type { ComponentChildren } from 'preact'
import { Icon, type IconName } from '../controls/icon.tsx'

/** The meaning of a color: good, waiting or warning, failed, or current. */
export type Tone = 'good' | 'warn' | 'bad' | 'accent'

type PillProps = {
  tone?: Tone | undefined
  icon?: IconName | undefined
  mono?: boolean
  title?: string
  children: ComponentChildren
}

/** A short label, such as a state. */
export function Pill({ tone, icon, mono, title, children }: PillProps) {
  return (
    <span class={['pill', tone, mono && 'mono'].filter(Boolean).join(' ')} title={title}>
      {icon && <Icon name={icon} />}
      {children}
    </span>
  )
}

export function Dot({ tone }: { tone: Tone | 'off' }) {
  return <span class={`dot ${tone}`} />
}

/** A sentence that the reader should not miss. */
export function Note({
  tone,
  icon,
  children,
}: {
  tone?: Tone | undefined
  icon?: IconName
  children: ComponentChildren
}) {
  return (
    <div class={['note', tone].filter(Boolean).join(' ')}>
      <Icon name={icon ?? (tone === 'bad' || tone === 'warn' ? 'warning' : 'note')} />
      <div>{children}</div>
    </div>
  )
}

/** A key of the keyboard. */
export function Key({ children }: { children: ComponentChildren }) {
  return <kbd class="key">{children}</kbd>
}

/** Names and values, in two columns. */
export function Facts({ facts }: { facts: readonly (readonly [string, ComponentChildren])[] }) {
  return (
    <dl class="facts">
      {facts.map(([name, value]) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  )
}
