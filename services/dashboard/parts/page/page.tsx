import { signal } from '@preact/signals'
import type { ComponentChildren } from 'preact'
import { useLayoutEffect } from 'preact/hooks'
import type { Crumb } from './crumbs.ts'

/** Where the page is, for the frame around it. */
export const trail = signal<{ title: string; crumbs: readonly Crumb[] }>({ title: '', crumbs: [] })

type PageProps = {
  title: string
  /** The part of the thing that the page is about, such as its settings. */
  part?: string
  /** Where the page is, the outermost first, without itself. */
  crumbs?: readonly Crumb[]
  /** Marks next to the title. */
  marks?: ComponentChildren
  actions?: ComponentChildren
  /** What is the matter, or what the page is for. */
  lead?: ComponentChildren
  tabs?: ComponentChildren
  /** Stands at the foot of the window. */
  foot?: ComponentChildren
  children: ComponentChildren
}

/** What a page has around what is shown in it. */
export type PageFrame = Omit<PageProps, 'foot' | 'children'>

/** A page within the frame: its head, and what it is about. */
export function Page({ title, part, crumbs = [], marks, actions, lead, tabs, foot, children }: PageProps) {
  useLayoutEffect(() => {
    document.title = [part, title, 'listd'].filter(Boolean).join(' · ')
    trail.value = { title, crumbs }
  }, [title, part, JSON.stringify(crumbs)])
  return (
    <>
      <header class="head">
        <h1>{title}</h1>
        {marks}
        {actions && <div class="actions">{actions}</div>}
        {lead !== undefined && <p>{lead}</p>}
      </header>
      {tabs}
      {children}
      {foot && <footer class="foot">{foot}</footer>}
    </>
  )
}
