import type { Resource } from '../../api/reader.ts'
import { Loaded } from '../problems/problem.tsx'
import type { Crumb } from './crumbs.ts'
import { Page } from './page.tsx'

type UnreadPageProps = {
  /** What kind of thing it is: what it is called is not known yet. */
  title: string
  crumbs: readonly Crumb[]
  resource: Resource<unknown>
}

/** What stands in place of a page about something that is being read, or that cannot be read. */
export function UnreadPage({ title, crumbs, resource }: UnreadPageProps) {
  return (
    <Page title={title} crumbs={crumbs}>
      <Loaded resource={resource}>{() => null}</Loaded>
    </Page>
  )
}
