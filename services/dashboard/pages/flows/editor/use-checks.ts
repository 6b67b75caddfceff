import { useEffect, useRef, useState } from 'preact/hooks'
import { client } from '#services/dashboard/api/client.ts'
import { toListdError } from '#services/dashboard/api/errors.ts'
import { type FlowTexts, sentTexts } from '#services/dashboard/api/flow-texts.ts'
import { useResource } from '#services/dashboard/api/resource.ts'
import { type Checks, findingsBySource, hasErrors } from './checks.ts'
import { findingsIn } from './findings.ts'

/** The page checks the texts this long after the last key, and the service the same time later. */
const pauseMs = { page: 150, service: 450 }

const nothing: Checks = { findings: { document: [], tests: [] }, results: null, isChecking: true, error: undefined }

/**
 * Checks the texts of a flow as they are typed. The page first reads them by the same rules as the service. Texts without errors are sent
 * to the service, which has the lists and schemas and runs the tests. The page cannot run them, because schemas are compiled to code, which
 * its security policy does not allow.
 */
export function useChecks(texts: FlowTexts) {
  const language = useResource('script of flows', async () => (await import('./flow-language.ts')).flowLanguage)
  const [checks, setChecks] = useState(nothing)
  const [again, setAgain] = useState(0)
  const current = useRef(texts)
  current.current = texts
  const { document, tests } = texts
  const rules = language.data
  useEffect(() => {
    if (!rules) return
    const ending = new AbortController()
    setChecks((now) => ({ ...now, isChecking: true, error: undefined }))
    const reported = (change: Partial<Checks>) => {
      // Findings for an earlier text would be marked at wrong places.
      if (!ending.signal.aborted) setChecks((now) => ({ ...now, ...change }))
    }
    const ask = () => checkByService({ document, tests }, ending.signal).then(reported)
    const read = () => {
      const found = rules.checkTexts({ document, tests })
      const findings = { document: findingsIn(document, found.document), tests: findingsIn(tests, found.tests) }
      if (hasErrors(findings)) reported({ findings, results: null, isChecking: false })
      else {
        reported({ findings })
        timer = setTimeout(ask, pauseMs.service)
      }
    }
    let timer = setTimeout(read, pauseMs.page)
    return () => {
      clearTimeout(timer)
      ending.abort()
    }
  }, [document, tests, rules, again])
  return { checks, setChecks, language, checkAgain: () => setAgain(again + 1) }
}

async function checkByService(texts: FlowTexts, signal: AbortSignal): Promise<Partial<Checks>> {
  try {
    const { diagnostics, tests } = await client.flowDefinitions.check(sentTexts(texts), { signal })
    return { findings: findingsBySource(texts, diagnostics), results: tests, isChecking: false }
  } catch (failure) {
    return { error: toListdError(failure), results: null, isChecking: false }
  }
}
