import type { ComponentChildren } from 'preact'
import { useId, useRef } from 'preact/hooks'
import { hrefOf } from '../../address/location.ts'
import { Button } from './button.tsx'
import { Icon, type IconName } from './icon.tsx'

type MenuProps = {
  /** The text of the button, unless it is `bare`. */
  label: string
  /** The accessible name of the button, if its label is not enough. */
  name?: string
  icon?: IconName
  bare?: boolean
  kind?: 'quiet' | 'primary'
  /** The id of the menu, so that a key can open it. */
  id?: string
  /** Shown on the button instead of its label. */
  inside?: ComponentChildren
  children: ComponentChildren
}

/** A button that opens a menu of items or controls below it. Escape or a click elsewhere closes it. */
export function Menu({ label, name, icon, bare, kind, id: givenId, inside, children }: MenuProps) {
  const ownId = useId()
  const id = givenId ?? ownId
  const box = useRef<HTMLDivElement>(null)
  const place = ({ newState }: { newState: string }) => {
    const button = box.current?.previousElementSibling
    if (newState !== 'open' || !box.current || !button) return
    placeBelow(button, box.current)
    box.current.querySelector<HTMLElement>('a, button, input, select')?.focus()
  }
  return (
    <>
      <Button kind={kind} icon={icon} name={name} label={bare ? label : undefined} opens={id}>
        {bare ? undefined : (inside ?? label)}
      </Button>
      <div ref={box} id={id} class="menu" popover="auto" onToggle={place} onKeyDown={moveAmongItems}>
        {children}
      </div>
    </>
  )
}

/** Places the menu below its button, within the window. */
function placeBelow(button: Element, box: HTMLElement): void {
  const { left, bottom, top } = button.getBoundingClientRect()
  const { offsetWidth: width, offsetHeight: height } = box
  const { clientWidth, clientHeight } = document.documentElement
  box.style.left = `${Math.max(8, Math.min(left, clientWidth - width - 8))}px`
  const isAbove = bottom + height + 8 > clientHeight && top > height + 8
  box.style.top = `${isAbove ? top - height - 4 : Math.max(8, Math.min(bottom + 4, clientHeight - height - 8))}px`
}

function moveAmongItems(event: KeyboardEvent): void {
  const step = { ArrowDown: 1, ArrowUp: -1 }[event.key]
  if (!step || !(event.currentTarget instanceof HTMLElement)) return
  const items = [...event.currentTarget.querySelectorAll<HTMLElement>('a, button')]
  const at = items.indexOf(document.activeElement as HTMLElement)
  if (at < 0) return
  event.preventDefault()
  items[(at + step + items.length) % items.length]?.focus()
}

type MenuItemProps = {
  icon?: IconName
  /** Whether it deletes something permanently. */
  bad?: boolean
  disabled?: boolean | undefined
  /** Shown after the text: why it is disabled, or its key. */
  more?: ComponentChildren
  children: ComponentChildren
} & ({ onPress: () => void; to?: never } | { to: string; onPress?: never })

export function MenuItem({ icon, bad, disabled, more, children, onPress, to }: MenuItemProps) {
  const inside = (
    <>
      {icon && <Icon name={icon} />}
      <span>{children}</span>
      {more !== undefined && <small>{more}</small>}
    </>
  )
  const close = (event: MouseEvent) => {
    if (event.currentTarget instanceof HTMLElement) event.currentTarget.closest<HTMLElement>('[popover]')?.hidePopover()
  }
  if (to !== undefined) {
    return (
      <a class="menu-item" href={hrefOf(to)} onClick={close}>
        {inside}
      </a>
    )
  }
  const press = (event: MouseEvent) => {
    close(event)
    onPress()
  }
  return (
    <button type="button" class={bad ? 'menu-item bad' : 'menu-item'} disabled={disabled} onClick={press}>
      {inside}
    </button>
  )
}
