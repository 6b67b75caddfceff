import { useEffect, useMemo, useRef, useState } from 'preact/hooks'
import type { ListdError } from '#client/src/error.ts'
import { compact, layOut } from '#shared/json/text/layout.ts'
import { toListdError } from '../../api/errors.ts'
import { type Finding, schemaFindings, syntaxFinding } from './draft-check.ts'

/** Data that the user edits as text. */
export type Draft = {
  text: string
  setText(text: string): void
  /** The data that the draft started from, as compact text. */
  base: string
  /** Whether the data differ from the base. White space does not matter. */
  isChanged: boolean
  /** The errors of the text, with their places. */
  findings: readonly Finding[]
  /** By pointer: input that is not a valid value yet. It is not in the text, and it is a finding until it is valid. */
  held: ReadonlyMap<string, Held>
  hold(pointer: string, held: Held | null): void
  /** Any other error that the server reports, such as an alias that is already in use. */
  problem: ListdError | null
  /** Whether the present text has been checked. */
  isChecked: boolean
  /** Whether the last attempt to save it failed. */
  isRefused: boolean
  /** The data to send, as compact text; null: the text is not valid JSON, which becomes a finding, or some input is held. */
  read(): string | null
  /** Sets the findings or the problem from an error of the server. */
  reject(error: ListdError): void
  /** Sets the data that are stored now; the text stays. */
  rebase(base: string): void
  /** Restarts the draft from stored data, or with other data to store. */
  restart(base: string, data?: string): void
}

/** Input that is not a valid value, and why. */
export type Held = { text: string; message: string }

/** Wait after the last key before the draft is checked. */
const pauseMs = 400

/** `same`: a text that differs from the base only in white space. It is set by the check after a pause, not at every key. */
type Texts = { base: string; text: string; same: string | null }

type Verdict = { text: string; findings: readonly Finding[]; problem: ListdError | null }

/** @param check checks data on the server without writing them; throws their errors */
export function useDraft(data: string, check: (data: string, signal: AbortSignal) => PromiseLike<unknown>): Draft {
  const [{ base, text, same }, setTexts] = useState<Texts>(() => ({ base: data, text: layOut(data), same: null }))
  const [verdict, setVerdict] = useState<Verdict>({ text, findings: [], problem: null })
  const { held, hold, release, heldFindings } = useHeld()
  const shown = useMemo(() => layOut(base), [base])
  const isTextChanged = text !== shown && text !== same
  const latest = useRef(check)
  latest.current = check
  const [isRefused, setRefused] = useState(false)
  const reject = (error: ListdError) => {
    setVerdict(verdictOf(text, error))
    setRefused(true)
  }
  const read = () => {
    const finding = syntaxFinding(text)
    if (finding) setVerdict({ text, findings: [finding], problem: null })
    return finding || held.size > 0 ? null : compact(text)
  }
  const findings = useMemo(() => [...heldFindings, ...verdict.findings], [heldFindings, verdict.findings])
  useEffect(() => {
    if (!isTextChanged) {
      setVerdict({ text, findings: [], problem: null })
      return
    }
    const ending = new AbortController()
    const timer = setTimeout(() => {
      const finding = syntaxFinding(text)
      if (finding) setVerdict({ text, findings: [finding], problem: null })
      else if (compact(text) === base) setTexts((now) => (now.text === text ? { ...now, same: text } : now))
      else checkText({ text, check: latest.current, signal: ending.signal }).then(setVerdict, () => {})
    }, pauseMs)
    return () => {
      clearTimeout(timer)
      ending.abort()
    }
  }, [text, base, isTextChanged])
  return {
    text,
    base,
    isChanged: isTextChanged || held.size > 0,
    findings,
    held,
    hold,
    problem: verdict.problem,
    isChecked: verdict.text === text,
    isRefused,
    setText: (changed) => setTexts((now) => ({ ...now, text: changed })),
    read,
    reject,
    rebase(other) {
      setRefused(false)
      setTexts(({ text: now }) => ({ base: other, text: now, same: compact(now) === other ? now : null }))
    },
    restart(other, changed = other) {
      release()
      setRefused(false)
      setTexts({ base: other, text: layOut(changed), same: null })
    },
  }
}

const nothingHeld: ReadonlyMap<string, Held> = new Map()

/** Input that is not a valid value yet, by pointer. */
function useHeld() {
  const [held, setHeld] = useState(nothingHeld)
  const hold = (pointer: string, one: Held | null) =>
    setHeld((now) => {
      if (one === null && !now.has(pointer)) return now
      const others = [...now].filter(([other]) => other !== pointer)
      return new Map(one === null ? others : [...others, [pointer, one]])
    })
  const heldFindings = useMemo(
    () => [...held].map(([pointer, { message }]): Finding => ({ pointer, message, from: 0, to: 1 })),
    [held],
  )
  return { held, hold, release: () => setHeld(nothingHeld), heldFindings }
}

type Check = { text: string; check: (data: string, signal: AbortSignal) => PromiseLike<unknown>; signal: AbortSignal }

/** @throws the signal's reason */
async function checkText({ text, check, signal }: Check): Promise<Verdict> {
  try {
    await check(compact(text), signal)
    return { text, findings: [], problem: null }
  } catch (failure) {
    signal.throwIfAborted()
    return verdictOf(text, toListdError(failure))
  }
}

function verdictOf(text: string, error: ListdError): Verdict {
  const isPlaced = error.details?.errors?.some(({ pointer }) => pointer !== undefined)
  if (error.name !== 'ITEM_SCHEMA_INVALID' && !isPlaced) return { text, findings: [], problem: error }
  return { text, findings: schemaFindings(text, error), problem: null }
}
