import type { ListdError } from '#client/src/main.ts'
import { CommandFailed } from '../../terminal/command-failed.ts'
import { failureOf } from '../answer-failure.ts'
import type { ImportTarget } from './import-target.ts'

/** The failure of a call that names a list by id, with the name of the list in the message. */
export function listFailure(error: ListdError, { name, id }: Pick<ImportTarget, 'name' | 'id'>): CommandFailed {
  const failure = failureOf(error)
  if (error.name !== 'REQUESTED_ENTITY_NOT_FOUND' || id === null) return failure
  const gone = `The list "${name}" (${id}) no longer exists, or the token may not view it.`
  return new CommandFailed(gone, failure.exitCode, { cause: error, facts: failure.facts })
}

/** The same failure with an appended sentence. */
export function withSentence({ message, exitCode, facts, cause }: CommandFailed, sentence: string): CommandFailed {
  const between = message.includes('\n') ? '\n' : ' '
  return new CommandFailed(`${message}${between}${sentence}`, exitCode, { cause, facts })
}
