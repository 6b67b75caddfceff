import { ListdError } from '#client/src/main.ts'
import { AnotherFile } from '#shared/domain/item-transfer/batches.ts'
import type { ImportState } from '#shared/domain/item-transfer/import-rows.ts'
import { UnreadableFile } from '#shared/domain/item-transfer/record.ts'
import { CommandFailed, unnamedFailure } from '../../terminal/command-failed.ts'
import { describeState, importFacts } from './import-report.ts'
import type { ImportTarget } from './import-target.ts'
import { listFailure, withSentence } from './list-failure.ts'

/** Where an import has failed; `canGoOn`: it can continue with `--resume`. */
type Failed = { state: ImportState; target: ImportTarget; path: string; canGoOn: boolean }

/** An error that names the file or list and the problem, and says how far the import got. */
export function withStateOf(error: unknown, { state, target, path, canGoOn }: Failed): CommandFailed {
  const failure = failureOf(error, { target, path })
  const counted = new CommandFailed(failure.message, failure.exitCode, {
    cause: error,
    facts: { ...failure.facts, ...importFacts(state) },
  })
  if (state.row === 0) return counted
  const isGone = failure.facts.name === 'REQUESTED_ENTITY_NOT_FOUND'
  const further = canGoOn && !isGone ? ' Import it with --resume to continue from there.' : ''
  const came = `The import stopped after row ${state.row.toLocaleString('en-US')}: ${describeState(state)}.`
  return withSentence(counted, came + further)
}

function failureOf(error: unknown, { target, path }: Pick<Failed, 'target' | 'path'>): CommandFailed {
  if (error instanceof CommandFailed) return error
  if (error instanceof ListdError) return listFailure(error, target)
  const other = aboutFile(error, path)
  const message = other instanceof Error ? other.message : String(other)
  return new CommandFailed(message, 1, { facts: { name: unnamedFailure } })
}

/** The error of a file, with its name; any other error unchanged. */
export function aboutFile(error: unknown, path: string): unknown {
  const isOfFile = error instanceof UnreadableFile || error instanceof AnotherFile
  return isOfFile ? new Error(`${path}: ${error.message}.`, { cause: error }) : error
}
