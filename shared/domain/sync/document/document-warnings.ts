import { errorPath, type FieldError } from '#shared/errors.ts'
import { indexWarnings, listWarnings } from '../../list/warnings.ts'
import type { SyncDocument } from './document.ts'

/** Warnings about settings of a document that are probably unintended, by path. A plan reports the same for its changes. */
export function documentWarnings({ lists }: SyncDocument): FieldError[] {
  return lists.flatMap(({ pathName, fields, indexes }) => [
    ...at(errorPath('lists', pathName), listWarnings(fields)),
    ...(indexes ?? []).flatMap((index) =>
      at(errorPath('lists', pathName, 'indexes', index.pathName), indexWarnings(index.fields)),
    ),
  ])
}

function at(path: string, messages: readonly string[]): FieldError[] {
  return messages.map((message) => ({ path, message }))
}
