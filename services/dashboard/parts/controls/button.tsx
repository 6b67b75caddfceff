import type { ComponentChildren } from 'preact'
import { hrefOf } from '../../address/location.ts'
import { Icon, type IconName } from './icon.tsx'

type Look = {
  /** `primary`: the main action of a page. `quiet`: no border. `bad`: deletes something permanently. */
  kind?: 'primary' | 'quiet' | 'bad' | undefined
  icon?: IconName | undefined
  /** Accessible name of a button that shows only its icon. */
  label?: string | undefined
  /** Its accessible name, if its text is not enough. */
  name?: string | undefined
  children?: ComponentChildren
}

type ButtonProps = Look & {
  onPress?: (() => void) | undefined
  /** Whether it submits its form. */
  sends?: boolean
  disabled?: boolean | undefined
  /** Whether an action that the button started is running. */
  busy?: boolean | undefined
  /** The id of the popover that it opens. */
  opens?: string
  pressed?: boolean
  /** Whether it gets the focus when its dialog opens. */
  autofocus?: boolean
}

const classOf = ({ kind, label }: Look) => ['button', kind, label && 'bare'].filter(Boolean).join(' ')

export function Button({ onPress, sends, disabled, busy, opens, pressed, autofocus, ...look }: ButtonProps) {
  return (
    <button
      class={classOf(look)}
      type={sends ? 'submit' : 'button'}
      disabled={disabled}
      aria-disabled={busy || undefined}
      aria-busy={busy || undefined}
      aria-label={look.name ?? look.label}
      aria-pressed={pressed}
      title={look.name ?? look.label}
      popovertarget={opens}
      autofocus={autofocus}
      onClick={busy ? (event) => event.preventDefault() : onPress}
    >
      <Inside {...look} />
    </button>
  )
}

/** A link that looks like a button. @param to an address of the page */
export function LinkButton({ to, ...look }: Look & { to: string }) {
  return (
    <a class={classOf(look)} href={hrefOf(to)} aria-label={look.name ?? look.label} title={look.name ?? look.label}>
      <Inside {...look} />
    </a>
  )
}

function Inside({ icon, children }: Look) {
  return (
    <>
      {icon && <Icon name={icon} />}
      {children !== undefined && <span>{children}</span>}
    </>
  )
}

/** A link in text. @param to an address of the page */
export function Link({ to, children }: { to: string; children: ComponentChildren }) {
  return (
    <a class="link" href={hrefOf(to)}>
      {children}
    </a>
  )
}
