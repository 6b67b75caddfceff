import { useMemo, useState } from 'preact/hooks'
import { client } from '#services/dashboard/api/client.ts'
import { sentTexts } from '#services/dashboard/api/flow-texts.ts'
import { useResource } from '#services/dashboard/api/resource.ts'
import { AboutNode } from '../../runs/run-steps.tsx'
import { readTestSteps } from '../../runs/run-text.ts'
import type { FlowDraft } from './use-flow-draft.ts'

/** The test whose path is drawn over the flow, with the present texts. None is drawn while they have errors. */
export function useDrawnTest({ texts, checks }: Pick<FlowDraft, 'texts' | 'checks'>) {
  const [name, setName] = useState<string | null>(null)
  const isRun = name !== null && !checks.isChecking && checks.results?.some((result) => result.name === name) === true
  const key = isRun ? `way of a test ${JSON.stringify([name, texts.document, texts.tests])}` : null
  const { data, error } = useResource(
    key,
    async (signal) => {
      const fields = { ...sentTexts(texts), stepsOf: name ?? '' }
      return readTestSteps(await client.flowDefinitions.check(fields, { signal }).text(), name ?? '')
    },
    { keeps: () => false },
  )
  const trial = useMemo(
    () =>
      isRun && data
        ? {
            steps: data.steps,
            failedAt: data.failedAt,
            about: (node: string) => <AboutNode node={node} shown={{ ...data, input: null }} error={undefined} />,
          }
        : undefined,
    [isRun, data],
  )
  return { name, draw: setName, trial, error }
}
