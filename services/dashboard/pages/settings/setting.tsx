import type { ComponentChildren } from 'preact'
import { useId } from 'preact/hooks'

type SettingProps = { title: string; about: ComponentChildren; children: ComponentChildren }

/** A part of the page: its title and description on the left, its controls on the right. */
export function Setting({ title, about, children }: SettingProps) {
  const id = useId()
  return (
    <section class="setting" aria-labelledby={id}>
      <div>
        <h2 id={id}>{title}</h2>
        <p class="muted">{about}</p>
      </div>
      <div>{children}</div>
    </section>
  )
}
