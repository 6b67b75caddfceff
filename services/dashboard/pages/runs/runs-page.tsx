import { flowsCrumb } from '../../parts/page/crumbs.ts'
import { Page } from '../../parts/page/page.tsx'
import { Runs } from './runs.tsx'

/** The runs of all flows. */
export function RunsPage() {
  return (
    <Page
      title="Runs"
      crumbs={[flowsCrumb]}
      lead="What flows have done, newest first, for as long as the operator keeps it."
    >
      <Runs />
    </Page>
  )
}
