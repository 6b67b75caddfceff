import { route } from '#client/src/transport.ts'
import { compact } from '#shared/json/layout.ts'
import { Button } from '../../parts/button.tsx'
import type { ApiCall } from '../../parts/copy-as/call-text.ts'
import { CopyAs } from '../../parts/copy-as/copy-as.tsx'
import { LeaveGuard } from '../../parts/leave-guard.tsx'
import { failedTests, hasErrors } from './checks.ts'
import type { FlowDraft } from './use-flow-draft.ts'

/** The foot of a flow that is edited. @param id of the flow; null: it is new */
export function FlowSaveBar({ draft, id }: { draft: FlowDraft; id: string | null }) {
  const { isChanged, isBlocked, busy, save, discard } = draft
  const canSave = isChanged || id === null
  return (
    <footer class="foot">
      {isChanged && <LeaveGuard what="What you changed of the flow" />}
      <span role="status">{statusOf(draft, id)}</span>
      <div class="grow" />
      {canSave && !isBlocked && <CopyAs call={() => callOf(draft, id)} />}
      <Button kind="quiet" disabled={!isChanged || busy} onPress={discard}>
        Discard
      </Button>
      <Button kind="primary" disabled={!canSave || isBlocked} busy={busy} onPress={save}>
        {id === null ? 'Create' : 'Save'}
      </Button>
    </footer>
  )
}

function statusOf({ isChanged, checks }: FlowDraft, id: string | null): string {
  if (hasErrors(checks.findings)) return 'Not saved: it has errors.'
  if (failedTests(checks) > 0) return 'Not saved: a test fails.'
  if (isChanged) return 'Not saved.'
  return id === null ? 'Not created yet.' : 'Everything is saved.'
}

function callOf({ texts: { document, tests } }: FlowDraft, id: string | null): ApiCall {
  const body = `{"document":${compact(document)}${tests.trim() === '' ? '' : `,"tests":${compact(tests)}`}}`
  if (id === null)
    return { method: 'POST', path: '/flow-definitions', body, sdk: `listd.flowDefinitions.create(${body})` }
  const sdk = `listd.flowDefinitions.replace(${JSON.stringify(id)}, ${body})`
  return { method: 'PUT', path: route`/flow-definitions/${id}`, body, sdk }
}
