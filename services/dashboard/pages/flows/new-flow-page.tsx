import { useEffect } from 'preact/hooks'
import { route } from '#client/src/transport.ts'
import { here, navigate } from '../../address/location.ts'
import { announce } from '../../parts/controls/announce.tsx'
import { Tabs } from '../../parts/controls/tabs.tsx'
import { flowsCrumb } from '../../parts/page/crumbs.ts'
import { Page } from '../../parts/page/page.tsx'
import { FlowEditor } from './editor/flow-editor.tsx'
import { FlowSaveBar } from './editor/flow-save-bar.tsx'
import { useFlowDraft } from './editor/use-flow-draft.ts'
import { exampleDocument, exampleTests, isOtherFlow } from './flow-example.ts'

const example = { document: exampleDocument, tests: exampleTests }
const address = (name: string) => (name === 'tests' ? '/new-flow?tab=tests' : '/new-flow')

/** The page for a new flow. It starts with a working example. */
export function NewFlowPage() {
  const draft = useFlowDraft(null, example, ({ id, name }) => {
    navigate(route`/flows/${id}`, { replace: true, unasked: true })
    announce(`The flow ${name} was created and is active.`)
  })
  const { document, tests } = draft.texts
  useEffect(() => {
    if (tests !== exampleTests || !isOtherFlow(document)) return
    draft.edit({ tests: '' })
    announce('The tests of the example were removed, because this is a different flow.', {
      undo: () => draft.edit({ tests }),
    })
  }, [document])
  const open = here.value.query.get('tab') === 'tests' ? 'tests' : 'document'
  return (
    <Page
      title="New flow"
      crumbs={[flowsCrumb]}
      lead="This is a working example. Change it, or replace it with your own document. Nothing is saved until you create the flow."
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
