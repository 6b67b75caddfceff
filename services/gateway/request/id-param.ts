import { isId } from '#shared/domain/id.ts'
import { AppError } from '#shared/errors.ts'

/** The id in a parameter of the path. @throws REQUESTED_ENTITY_NOT_FOUND for text that is not an id */
export function getIdParam(text: string): string {
  if (!isId(text)) throw new AppError('REQUESTED_ENTITY_NOT_FOUND')
  return text
}
