import { useEffect, useRef, useState } from 'preact/hooks'
import type { ListdError } from '#client/src/error.ts'
import type { FlowDefinition } from '#client/src/types/flow-resources.ts'
import { client } from '#services/dashboard/api/client.ts'
import { type FlowTexts, isSameFlow, sentTexts } from '#services/dashboard/api/flow-texts.ts'
import { useRunning } from '#services/dashboard/forms/use-saving.ts'
import { failedTests, hasErrors, rejectionOf } from './checks.ts'
import { useChecks } from './use-checks.ts'

/** The edited texts of a flow, their checks, and saving them. */
export type FlowDraft = ReturnType<typeof useFlowDraft>

/**
 * @param flow the edited flow; null: it is new
 * @param stored its stored texts, or the initial ones of a new flow
 */
export function useFlowDraft(flow: FlowDefinition | null, stored: FlowTexts, onSaved: (flow: FlowDefinition) => void) {
  const id = flow?.id ?? null
  const [edits, setEdits] = useState<Partial<FlowTexts>>({})
  const [failure, setFailure] = useState<ListdError>()
  const texts = { ...stored, ...edits }
  const { checks, setChecks, checkAgain, language } = useChecks(texts)
  const isChanged = !isSameFlow(texts, stored)
  const since = useVersion(flow?.version, isChanged)
  const isBlocked = hasErrors(checks.findings) || (!checks.isChecking && failedTests(checks) > 0)
  // Texts that are now stored are no longer a draft.
  useEffect(() => setEdits((now) => (isSameFlow({ ...stored, ...now }, stored) ? {} : now)), [stored])
  const { busy, run } = useRunning((error) => {
    const rejection = rejectionOf(texts, error)
    if (rejection) setChecks((now) => ({ ...now, ...rejection }))
    else setFailure(error)
    // The error names the failed tests; the check shows the others as well.
    if (error.name === 'FLOW_TESTS_FAILED') checkAgain()
  })
  const write = async () => {
    const fields = sentTexts(texts)
    const flows = client.flowDefinitions
    onSaved(await (id === null ? flows.create(fields) : flows.replace(id, fields)))
  }
  const save = () => {
    if (busy || isBlocked || (id !== null && !isChanged)) return
    setFailure(undefined)
    run(write, { stale: 'flow' })
  }
  return {
    texts,
    checks,
    checkAgain,
    language,
    isChanged,
    changed: isChanged ? 1 : 0,
    /** A version that was saved since the edits began; null: none. */
    overtakenBy: flow && isChanged && flow.version !== since ? flow.version : null,
    isBlocked,
    busy,
    failure,
    save,
    edit: (change: Partial<FlowTexts>) => setEdits((now) => ({ ...now, ...change })),
    discard() {
      setEdits({})
      setFailure(undefined)
    },
  }
}

/** The version that a flow had when its edits began. */
function useVersion(version: number | undefined, isChanged: boolean): number | undefined {
  const began = useRef(version)
  if (!isChanged) began.current = version
  return began.current
}
