import { useRef, useState } from 'preact/hooks'
import type { ListdError } from '#client/src/error.ts'
import { toListdError } from '../api/errors.ts'
import { fieldErrors } from '../api/field-errors.ts'
import { refresh } from '../api/reader.ts'
import { announce } from '../parts/controls/announce.tsx'
import { messageOf } from '../parts/problems/problem.tsx'

/** What follows a write that was taken. */
export type AfterWrite<T> = {
  /** What is announced; `bad`: in spite of which something is wrong. */
  said?: string | ((written: T) => string | { text: string; bad: boolean })
  /** How the keys begin of what is read again. */
  stale?: string | readonly string[]
}

/** Why a form cannot be sent, or was not taken: a sentence for each field that is wrong. */
export type Problems = ReadonlyMap<string, string>

/** Runs one write at a time: what is asked for meanwhile is not done. `run` tells whether the write was taken. */
export function useRunning(onFailure: (error: ListdError) => void) {
  const [busy, setBusy] = useState(false)
  const isRunning = useRef(false)
  const run = async <T>(work: () => PromiseLike<T>, { said, stale = [] }: AfterWrite<T> = {}): Promise<boolean> => {
    if (isRunning.current) return false
    isRunning.current = true
    setBusy(true)
    try {
      const written = await work()
      const reported = typeof said === 'function' ? said(written) : said
      if (typeof reported === 'object') announce(reported.text, { bad: reported.bad })
      else if (reported !== undefined) announce(reported)
      void refreshAll(stale)
      return true
    } catch (failure) {
      onFailure(toListdError(failure))
      return false
    } finally {
      isRunning.current = false
      setBusy(false)
    }
  }
  return { busy, run }
}

type Failure = { error: ListdError | undefined; problems: Problems }
const noFailure: Failure = { error: undefined, problems: new Map() }

/**
 * What every form shares that saves: one write at a time, and why the last one was not taken.
 * @param problemsOf what an answer says of the fields of the form
 */
export function useSaving(problemsOf: (error: ListdError) => Problems = fieldErrors) {
  const [{ error, problems }, setFailure] = useState(noFailure)
  const running = useRunning((error) => setFailure({ error, problems: problemsOf(error) }))
  return {
    busy: running.busy,
    error,
    problems,
    /** The error, where it is about no single field. */
    other: problems.size > 0 ? undefined : error,
    run<T>(work: () => PromiseLike<T>, after?: AfterWrite<T>): Promise<boolean> {
      if (!running.busy) setFailure(noFailure)
      return running.run(work, after)
    },
    /** Tells what is wrong before anything is sent. */
    reject: (problems: Problems) => setFailure({ error: undefined, problems }),
    clear: () => setFailure(noFailure),
  }
}

/** A button that writes at once: a failure is announced too, and what may be stale is read again in any case. */
export function useAction() {
  const { busy, run } = useRunning((error) => announce(messageOf(error), { bad: true }))
  const act = async <T>(work: () => PromiseLike<T>, { said, stale = [] }: AfterWrite<T> = {}): Promise<boolean> => {
    const isTaken = await run(work, said === undefined ? {} : { said })
    void refreshAll(stale)
    return isTaken
  }
  return { busy, act }
}

/** Settles when everything is read again. */
export async function refreshAll(stale: string | readonly string[]): Promise<void> {
  await Promise.all([stale].flat().map(refresh))
}
