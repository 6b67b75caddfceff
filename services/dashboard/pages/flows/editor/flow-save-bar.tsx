import { route } from '#client/src/transport.ts'
import { SaveBar } from '#services/dashboard/forms/save-bar.tsx'
import type { ApiCall } from '#services/dashboard/parts/copy-as/call-text.ts'
import { compact } from '#shared/json/text/layout.ts'
import { failedTests, hasErrors } from './checks.ts'
import type { FlowDraft } from './use-flow-draft.ts'

/** The footer of an edited flow. @param id of the flow; null: it is new */
export function FlowSaveBar({ draft, id }: { draft: FlowDraft; id: string | null }) {
  return (
    <SaveBar
      what="Your changes to the flow"
      form={draft}
      call={() => callOf(draft, id)}
      isBlocked={draft.isBlocked}
      isNew={id === null}
    >
      {statusOf(draft, id)}
    </SaveBar>
  )
}

function statusOf({ isChanged, checks }: FlowDraft, id: string | null): string {
  if (hasErrors(checks.findings)) return 'Not saved: it has errors.'
  if (failedTests(checks) > 0) return 'Not saved: a test fails.'
  if (isChanged) return 'Not saved.'
  return id === null ? 'Not created yet.' : 'All changes are saved.'
}

function callOf({ texts: { document, tests } }: FlowDraft, id: string | null): ApiCall {
  const body = `{"document":${compact(document)}${tests.trim() === '' ? '' : `,"tests":${compact(tests)}`}}`
  if (id === null)
    return { method: 'POST', path: '/flow-definitions', body, sdk: `listd.flowDefinitions.create(${body})` }
  const sdk = `listd.flowDefinitions.replace(${JSON.stringify(id)}, ${body})`
  return { method: 'PUT', path: route`/flow-definitions/${id}`, body, sdk }
}
