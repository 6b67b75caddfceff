import type { ComponentChildren } from 'preact'
import { hrefOf } from '../../address/location.ts'
import { Icon, type IconName } from './icon.tsx'

type Look = {
  /** `primary`: the one next action of a page. `quiet`: no border. `bad`: something goes for good. */
  kind?: 'primary' | 'quiet' | 'bad' | undefined
  icon?: IconName | undefined
  /** Instead of text: what the button does, for those who do not see the icon. */
  label?: string | undefined
  /** What it is called, where its text does not say it. */
  name?: string | undefined
  children?: ComponentChildren
}

type ButtonProps = Look & {
  onPress?: (() => void) | undefined
  /** Sends the form around it. */
  sends?: boolean
  disabled?: boolean | undefined
  /** Something is on its way that the button began. */
  busy?: boolean | undefined
  /** The id of the popover that it opens. */
  opens?: string
  pressed?: boolean
  /** It has the focus when its dialog opens. */
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
