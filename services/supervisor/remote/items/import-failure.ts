import { ListdError } from '#client/src/main.ts'
import { AnotherFile } from '#shared/domain/item-transfer/batches.ts'
import type { ImportState } from '#shared/domain/item-transfer/import-rows.ts'
import { UnreadableFile } from '#shared/domain/item-transfer/record.ts'
import { counted } from '#shared/domain/text/counted.ts'
import { CommandFailed, failedBy } from '../../terminal/command-failed.ts'
import { describeState, importFacts } from './import-report.ts'
import type { ImportTarget } from './import-target.ts'
import { listFailure, withSentence } from './list-failure.ts'

/** Where an import has failed; `canGoOn`: it can continue with `--resume`. `isUncertain`: items after `state` may have been created. */
type Failed = {
  state: ImportState
  target: ImportTarget
  path: string
  dryRun: boolean
  canGoOn: boolean
  isUncertain: boolean
}

/** An error that names the file or list and the problem, and says how far the import got. */
export function withStateOf(error: unknown, failed: Failed): CommandFailed {
  const { state, target, path, canGoOn } = failed
  const failure = failureOf(error, { target, path })
  const withFacts = new CommandFailed(failure.message, failure.exitCode, {
    cause: error,
    facts: { ...failure.facts, ...importFacts(state) },
  })
  const isGone = failure.facts.name === 'REQUESTED_ENTITY_NOT_FOUND'
  const further = canGoOn && !isGone ? ' Import it with --resume to continue from there.' : ''
  return withSentence(withFacts, describeProgress(failed) + further)
}

/** How far a failed import got, in a sentence or two. */
function describeProgress({ state, dryRun, isUncertain }: Failed): string {
  if (dryRun) return `The dry run stopped after ${counted(state.row, 'row')}. Nothing was imported.`
  if (state.row === 0)
    return isUncertain ? 'It is not known whether the first rows were imported.' : 'Nothing was imported.'
  const came = `The import stopped after row ${state.row.toLocaleString('en-US')}: ${describeState(state)}.`
  return isUncertain ? `${came} It is not known whether the next rows were imported.` : came
}

function failureOf(error: unknown, { target, path }: Pick<Failed, 'target' | 'path'>): CommandFailed {
  if (error instanceof CommandFailed) return error
  if (error instanceof ListdError) return listFailure(error, target)
  return failedBy(aboutFile(error, path))
}

/** @param path `-`: standard input */
export function nameOfSource(path: string): string {
  return path === '-' ? 'standard input' : path
}

/** The error of a file, with its name; any other error unchanged. */
function aboutFile(error: unknown, path: string): unknown {
  const isOfFile = error instanceof UnreadableFile || error instanceof AnotherFile
  return isOfFile ? new Error(`${nameOfSource(path)}: ${error.message}.`, { cause: error }) : error
}
