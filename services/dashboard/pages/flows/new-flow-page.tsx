import { route } from '#client/src/transport.ts'
import { here, navigate } from '../../address/location.ts'
import { announce } from '../../parts/announce.tsx'
import { flowsCrumb } from '../../parts/crumbs.ts'
import { Page } from '../../parts/page.tsx'
import { Tabs } from '../../parts/tabs.tsx'
import { FlowEditor } from './flow-editor.tsx'
import { exampleDocument, exampleTests } from './flow-example.ts'
import { FlowSaveBar } from './flow-save-bar.tsx'
import { useFlowDraft } from './use-flow-draft.ts'

const example = { document: exampleDocument, tests: exampleTests }
const address = (name: string) => (name === 'tests' ? '/new-flow?tab=tests' : '/new-flow')

/** A flow in the making, which begins as an example that works. */
export function NewFlowPage() {
  const draft = useFlowDraft(null, example, ({ id, name }) => {
    navigate(route`/flows/${id}`, { replace: true, unasked: true })
    announce(`The flow ${name} was created, and runs.`)
  })
  const open = here.value.query.get('tab') === 'tests' ? 'tests' : 'document'
  return (
    <Page
      title="New flow"
      crumbs={[flowsCrumb]}
      lead="This is an example that works: change it, or put your own document in its place. Nothing is kept until you create it."
      tabs={
        <Tabs
          tabs={[
            { to: address('document'), label: 'Document', on: open === 'document' },
            { to: address('tests'), label: 'Tests', on: open === 'tests' },
          ]}
        />
      }
    >
      <FlowEditor draft={draft} open={open} onOpen={(name) => navigate(address(name))} />
      <FlowSaveBar draft={draft} id={null} />
    </Page>
  )
}
