import { signal } from '@preact/signals'
import type { ComponentChildren } from 'preact'
import { useLayoutEffect } from 'preact/hooks'
import type { Crumb } from './crumbs.ts'

/** The breadcrumbs and title of the page, for the frame. */
export const trail = signal<{ title: string; crumbs: readonly Crumb[] }>({ title: '', crumbs: [] })

type PageProps = {
  title: string
  /** The shown part of the resource, such as its settings. */
  part?: string
  /** The parents of the page, outermost first. */
  crumbs?: readonly Crumb[]
  /** Marks next to the title. */
  marks?: ComponentChildren
  actions?: ComponentChildren
  /** A summary of its content, or its purpose. */
  lead?: ComponentChildren
  tabs?: ComponentChildren
  /** Shown at the bottom of the window. */
  foot?: ComponentChildren
  children: ComponentChildren
}

/** The props of a page, except its content. */
export type PageFrame = Omit<PageProps, 'foot' | 'children'>

/** A page within the frame: its header and its content. */
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
