import { useRef, useState } from 'preact/hooks'
import type { ListdError } from '#client/src/error.ts'
import { toListdError } from '../api/errors.ts'
import { fieldErrors } from '../api/field-errors.ts'
import { refresh } from '../api/reader.ts'
import { announce } from '../parts/controls/announce.tsx'
import { messageOf } from '../parts/problems/problem.tsx'

/** What follows a successful write. */
export type AfterWrite<T> = {
  /** The announcement; `bad`: the write succeeded, but something is wrong. */
  said?: string | ((written: T) => string | { text: string; bad: boolean })
  /** Prefixes of the keys that are read again. */
  stale?: string | readonly string[]
}

/** Why a form cannot be sent or was rejected: a sentence for each field with an error. */
export type Problems = ReadonlyMap<string, string>

/** Runs one write at a time and ignores calls while one is running. `run` returns whether the write succeeded. */
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
 * Shared by all forms that save: runs one write at a time, and keeps the errors of the last one.
 * @param problemsOf reads problems of fields from an error of the server
 */
export function useSaving(problemsOf: (error: ListdError) => Problems = fieldErrors) {
  const [{ error, problems }, setFailure] = useState(noFailure)
  const running = useRunning((error) => setFailure({ error, problems: problemsOf(error) }))
  return {
    busy: running.busy,
    error,
    problems,
    /** The error, if it is not about single fields. */
    other: problems.size > 0 ? undefined : error,
    run<T>(work: () => PromiseLike<T>, after?: AfterWrite<T>): Promise<boolean> {
      if (!running.busy) setFailure(noFailure)
      return running.run(work, after)
    },
    /** Sets problems that are found before anything is sent. */
    reject: (problems: Problems) => setFailure({ error: undefined, problems }),
    clear: () => setFailure(noFailure),
  }
}

/** For a button that writes immediately: a failure is announced too, and stale data is read again in any case. */
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
