import { route } from '#client/src/transport.ts'
import type { FlowDefinition } from '#client/src/types/flow-resources.ts'
import { here, navigate } from '../../address/location.ts'
import { client } from '../../api/client.ts'
import { type FlowTexts, textsOf } from '../../api/flow-texts.ts'
import { useResource } from '../../api/resource.ts'
import { announce } from '../../parts/controls/announce.tsx'
import { LinkButton } from '../../parts/controls/button.tsx'
import { Tabs } from '../../parts/controls/tabs.tsx'
import { Pill } from '../../parts/display/marks.tsx'
import { flowsCrumb } from '../../parts/page/crumbs.ts'
import { Page } from '../../parts/page/page.tsx'
import { UnreadPage } from '../../parts/page/unread-page.tsx'
import { Empty } from '../../parts/problems/problem.tsx'
import { Runs } from '../runs/runs.tsx'
import { FlowEditor } from './editor/flow-editor.tsx'
import { FlowSaveBar } from './editor/flow-save-bar.tsx'
import { useFlowDraft } from './editor/use-flow-draft.ts'
import { FlowSettings } from './flow-settings.tsx'
import { FlowVersions } from './flow-versions.tsx'
import { entryWords, publicPath } from './flow-words.ts'
import { TryTab } from './try-tab.tsx'

/** One flow: its document and tests, its versions, and its settings. */
export function FlowPage({ flow: id }: { flow: string }) {
  const flow = useResource(`flow ${id}`, async (signal) => {
    const answer = await client.flowDefinitions.get(id, { signal }).text()
    return { flow: JSON.parse(answer) as FlowDefinition, texts: textsOf(answer) }
  })
  if (flow.error?.name === 'REQUESTED_ENTITY_NOT_FOUND') return <NoFlow />
  if (flow.data) return <Parts key={flow.data.flow.id} {...flow.data} />
  return <UnreadPage title="Flow" crumbs={[flowsCrumb]} resource={flow} />
}

const tabs = [
  ['document', 'Document'],
  ['tests', 'Tests'],
  ['try', 'Try'],
  ['runs', 'Runs'],
  ['versions', 'Versions'],
  ['settings', 'Settings'],
] as const

type TabName = (typeof tabs)[number][0]

function Parts({ flow, texts }: { flow: FlowDefinition; texts: FlowTexts }) {
  const address = (name: TabName) => route`/flows/${flow.id}` + (name === 'document' ? '' : `?tab=${name}`)
  const wanted = here.value.query.get('tab')
  const [open, label] = tabs.find(([name]) => name === wanted) ?? tabs[0]
  const draft = useFlowDraft(flow, texts, ({ version }) => announce(`Version ${version} was saved.`))
  const isEditing = open === 'document' || open === 'tests'
  return (
    <Page
      title={flow.name}
      part={label}
      crumbs={[flowsCrumb]}
      marks={
        <>
          {!flow.activated && <Pill>off</Pill>}
          {flow.public && <Pill tone="warn">public</Pill>}
          <Pill>version {flow.version}</Pill>
        </>
      }
      lead={<Lead flow={flow} />}
      tabs={<Tabs tabs={tabs.map(([name, label]) => ({ to: address(name), label, on: name === open }))} />}
    >
      {isEditing && <FlowEditor draft={draft} open={open} onOpen={(name) => navigate(address(name))} />}
      {open === 'try' && <TryTab flow={flow} texts={texts} isChanged={draft.isChanged} />}
      {open === 'runs' && <Runs flowId={flow.id} />}
      {open === 'versions' && (
        <FlowVersions
          flow={flow}
          onRestore={(older, version) => {
            draft.edit(older)
            navigate(address('document'))
            announce(`Version ${version} is in the editor. It is not saved yet.`)
          }}
        />
      )}
      {open === 'settings' && <FlowSettings flow={flow} />}
      {(isEditing || draft.isChanged) && <FlowSaveBar draft={draft} id={flow.id} />}
    </Page>
  )
}

function Lead({ flow }: { flow: FlowDefinition }) {
  const anyone = publicPath(flow)
  return (
    <>
      <code>{entryWords(flow)}</code>
      {anyone && (
        <>
          {' '}
          or, without a token, <code>{anyone}</code>
        </>
      )}
      {flow.description && ` · ${flow.description}`}
    </>
  )
}

function NoFlow() {
  return (
    <Page title="Flow not found" crumbs={[flowsCrumb]}>
      <Empty title="No flow has this name or id" action={<LinkButton to="/flows">See all flows</LinkButton>}>
        It may have been deleted, or it is in another account.
      </Empty>
    </Page>
  )
}
