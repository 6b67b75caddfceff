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

/** A flow in the making, which begins as an example that works. */
export function NewFlowPage() {
  const draft = useFlowDraft(null, example, ({ id, name }) => {
    navigate(route`/flows/${id}`, { replace: true, unasked: true })
    announce(`The flow ${name} was created, and runs.`)
  })
  const { document, tests } = draft.texts
  useEffect(() => {
    if (tests !== exampleTests || !isOtherFlow(document)) return
    draft.edit({ tests: '' })
    announce('The tests of the example are gone: this is another flow.', { undo: () => draft.edit({ tests }) })
  }, [document])
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
