import { none, ok, type Response } from '../request/response.ts'
import { joi } from './joi.ts'
import { queryBoolean } from './query-schemas.ts'
import { arrayOf, objectOf, text } from './response-schemas.ts'

/** The property `warnings` of an answer to a write; it is absent when there are none. */
export const warningsSchema = {
  ...arrayOf(text),
  description:
    'Sentences about effects that are probably not intended, and about flows that use what is changed; absent: none.',
}

/** The text of an object with the warnings about what a request has set or changed, if there are any. */
export function withWarnings(object: string, warnings: readonly string[]): string {
  return warnings.length === 0 ? object : `${object.slice(0, -1)},"warnings":${JSON.stringify(warnings)}}`
}

/** Query of the deletion of a resource on which others may depend. */
export const deletionQuery = joi.object<{ dryRun: boolean }>({
  dryRun: queryBoolean().default(false).description('Returns the warnings about the deletion, and deletes nothing.'),
})

/** The answers to such a deletion. */
export const deletionResponse = {
  200: objectOf(
    { warnings: { ...arrayOf(text), description: 'Sentences about flows that use what would be deleted.' } },
    { title: 'Deletion', description: 'The answer to the dry run of a deletion.' },
  ),
  204: null,
}

/** The warnings of a dry run. A deletion answers 204 without a body, as for every resource except items. */
export function deletionAnswer({ dryRun }: { dryRun: boolean }, warnings: readonly string[]): Response {
  return dryRun ? ok({ warnings }) : none()
}
