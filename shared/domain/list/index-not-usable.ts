import { AppError } from '../../errors.ts'
import type { ListIndex } from './index-fields.ts'

/** The error of a page that filters or orders by an index which does not support it; null: it does. */
export function indexNotUsable(index: ListIndex, use: 'filtering' | 'sorting'): AppError | null {
  if (index[use] && index.activated) return null
  const hint = use === 'filtering' && index.alias ? ' The parameter "alias" can still filter by its values.' : ''
  const message = index.activated ? `The index does not have "${use}" turned on.${hint}` : 'The index is not activated.'
  return new AppError('INDEX_NOT_USABLE', { message, details: { index: index.pathName } })
}
