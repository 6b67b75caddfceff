import { flowsCrumb } from '../../parts/page/crumbs.ts'
import { Page } from '../../parts/page/page.tsx'
import { Runs } from './runs.tsx'

/** The runs of all flows. */
export function RunsPage() {
  return (
    <Page
      title="Runs"
      crumbs={[flowsCrumb]}
      lead="Runs of flows, newest first. The operator sets how long they are kept."
    >
      <Runs />
    </Page>
  )
}
