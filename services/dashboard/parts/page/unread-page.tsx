import type { Resource } from '../../api/reader.ts'
import { Loaded } from '../problems/problem.tsx'
import type { Crumb } from './crumbs.ts'
import { Page } from './page.tsx'

type UnreadPageProps = {
  /** The kind of the resource, as its name is not known yet. */
  title: string
  crumbs: readonly Crumb[]
  resource: Resource<unknown>
}

/** Shown instead of a page while its resource is being read, or if it cannot be read. */
export function UnreadPage({ title, crumbs, resource }: UnreadPageProps) {
  return (
    <Page title={title} crumbs={crumbs}>
      <Loaded resource={resource}>{() => null}</Loaded>
    </Page>
  )
}
