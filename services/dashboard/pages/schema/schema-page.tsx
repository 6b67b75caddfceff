import { here } from '../../address/location.ts'
import { Tabs } from '../../parts/controls/tabs.tsx'
import { Page } from '../../parts/page/page.tsx'
import { ApplyTab } from './apply-tab.tsx'
import { ExportTab } from './export-tab.tsx'
import { PlanPage } from './plan/plan-page.tsx'
import { ScopesTab } from './scopes-tab.tsx'

/** The parts of the page, by `tab` of the address; without it, the first one is shown. */
const tabs = [
  { tab: null, label: 'Apply', part: ApplyTab },
  { tab: 'export', label: 'Export', part: ExportTab },
  { tab: 'scopes', label: 'Scopes', part: ScopesTab },
] as const

/** Lists and indexes as documents. `?tab=plan` shows the plan of a document. */
export function SchemaPage() {
  const tab = here.value.query.get('tab')
  if (tab === 'plan') return <PlanPage />
  const shown = tabs.find((one) => one.tab === tab) ?? tabs[0]
  return (
    <Page
      title="Schema"
      lead="A document declares lists and indexes. Anything it does not name stays unchanged."
      tabs={
        <Tabs
          tabs={tabs.map((one) => ({
            to: one.tab === null ? '/schema' : `/schema?tab=${one.tab}`,
            label: one.label,
            on: one === shown,
          }))}
        />
      }
    >
      <shown.part />
    </Page>
  )
}
