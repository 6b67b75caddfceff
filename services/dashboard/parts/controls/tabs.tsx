import { hrefOf } from '../../address/location.ts'

export type Tab = { to: string; label: string; count?: number | string | undefined; on: boolean }

/** The tabs of a page, each with an address. */
export function Tabs({ tabs }: { tabs: readonly Tab[] }) {
  return (
    <nav class="tabs" aria-label="Sections of this page">
      {tabs.map(({ to, label, count, on }) => (
        <a key={label} href={hrefOf(to)} class={on ? 'on' : undefined} aria-current={on ? 'page' : undefined}>
          {label}
          {count !== undefined && <i>{count}</i>}
        </a>
      ))}
    </nav>
  )
}
