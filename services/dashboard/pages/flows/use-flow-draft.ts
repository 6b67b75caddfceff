import { useEffect, useRef, useState } from 'preact/hooks'
import type { ListdError } from '#client/src/error.ts'
import type { FlowDefinition } from '#client/src/flow-resources.ts'
import { client } from '../../api/client.ts'
import { type FlowTexts, isSameFlow, sentTexts } from '../../api/flow-texts.ts'
import { refresh, toListdError } from '../../api/resource.ts'
import { failedTests, hasErrors, refusalOf } from './checks.ts'
import { useChecks } from './use-checks.ts'

/** The texts of a flow that are edited, what is known of them, and their way to the service. */
export type FlowDraft = ReturnType<typeof useFlowDraft>

/**
 * @param flow which is edited; null: it is new
 * @param stored its texts as they are kept; of a new one those that it begins with
 */
export function useFlowDraft(flow: FlowDefinition | null, stored: FlowTexts, onSaved: (flow: FlowDefinition) => void) {
  const id = flow?.id ?? null
  const [edits, setEdits] = useState<Partial<FlowTexts>>({})
  const [busy, setBusy] = useState(false)
  const [failure, setFailure] = useState<ListdError>()
  const texts = { ...stored, ...edits }
  const { checks, setChecks, checkAgain, language } = useChecks(texts)
  const isChanged = !isSameFlow(texts, stored)
  const since = useVersion(flow?.version, isChanged)
  const isBlocked = hasErrors(checks.findings) || (!checks.isChecking && failedTests(checks) > 0)
  // What the flow has now is no draft any more.
  useEffect(() => setEdits((now) => (isSameFlow({ ...stored, ...now }, stored) ? {} : now)), [stored])
  const save = async () => {
    if (busy || isBlocked || (id !== null && !isChanged)) return
    setBusy(true)
    setFailure(undefined)
    try {
      const fields = sentTexts(texts)
      const flows = client.flowDefinitions
      const saved = await (id === null ? flows.create(fields) : flows.replace(id, fields))
      onSaved(saved)
      refresh('flow')
    } catch (error) {
      const told = toListdError(error)
      const refusal = refusalOf(texts, told)
      if (refusal) setChecks((now) => ({ ...now, ...refusal }))
      else setFailure(told)
      // It names the tests that failed; the others are told beside them.
      if (told.name === 'FLOW_TESTS_FAILED') checkAgain()
    }
    setBusy(false)
  }
  return {
    texts,
    checks,
    checkAgain,
    language,
    isChanged,
    /** The version that was saved since the edits began; null: none was. */
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
