import { useEffect, useRef, useState } from 'preact/hooks'
import type { ListdError } from '#client/src/error.ts'
import { toListdError } from '../../api/errors.ts'
import { type PlannedDocument, planDocument } from './plan-document.ts'
import type { SyncDraft } from './sync-draft.ts'

/** UTF-16 units of a document. Longer documents are planned only on request, not while they are written. */
export const mostWhileWriting = 64 * 1024
const pauseMs = 500

export type Planning = {
  /** Undefined until the present document has been planned. */
  planned: PlannedDocument | undefined
  error: ListdError | undefined
  busy: boolean
  /** Plans it now. @returns null if that failed (`error` has the reason) or another plan replaced it */
  ask(): Promise<PlannedDocument | null>
}

/** Plans a document when the user stops typing, and on request. */
export function usePlanning({ text, prune }: SyncDraft): Planning {
  const [state, setState] = useState<Omit<Planning, 'ask'>>(nothing)
  const running = useRef<AbortController | null>(null)
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)
  const ask = async () => {
    clearTimeout(timer.current)
    running.current?.abort()
    const own = new AbortController()
    running.current = own
    setState((now) => ({ ...now, error: undefined, busy: true }))
    try {
      const planned = await planDocument({ text, prune }, own.signal)
      if (!own.signal.aborted) setState({ planned, error: undefined, busy: false })
      return own.signal.aborted ? null : planned
    } catch (failure) {
      if (!own.signal.aborted) setState({ planned: undefined, error: toListdError(failure), busy: false })
      return null
    }
  }
  useEffect(() => {
    running.current?.abort()
    setState(nothing)
    if (text.trim() === '' || text.length > mostWhileWriting) return
    timer.current = setTimeout(ask, pauseMs)
    return () => clearTimeout(timer.current)
  }, [text, prune])
  useEffect(() => () => running.current?.abort(), [])
  return { ...state, ask }
}

const nothing = { planned: undefined, error: undefined, busy: false }
