import { ok } from '#services/gateway/request/response.ts'
import { type Route, route } from '#services/gateway/request/route.ts'
import { idText } from '#services/gateway/schemas/body-schemas.ts'
import { fieldSchemas } from '#services/gateway/schemas/field-schemas.ts'
import { joi } from '#services/gateway/schemas/joi.ts'
import { count, flag, objectOf } from '#services/gateway/schemas/response-schemas.ts'
import { bodyBytes } from '#shared/domain/limits.ts'
import { tokenFields } from '#shared/domain/token/fields.ts'
import type { ItemDeps } from '../context.ts'
import { countVisible, type TriedRules } from './count-visible.ts'

const triedRules = joi.object<TriedRules>({
  permissions: fieldSchemas(tokenFields, 'create').permissions.required(),
  tokenId: idText().allow(null).default(null).description('The token that `$token` means in conditions; null: none.'),
  identityId: idText().allow(null).default(null).description('The identity that the token acts for; null: none.'),
})

const visibleCount = objectOf(
  {
    count: { ...count, description: 'The number of items, including drafts that the token may see.' },
    isAtLeast: { ...flag, description: 'Whether the count stopped: there may be more.' },
  },
  { title: 'VisibleCount', description: 'How many items of a list a token would see.' },
)

/** The effect of rules before they are saved. */
export const visibleItemRoutes: readonly Route<ItemDeps>[] = [
  route({
    method: 'POST',
    path: '/lists/{list}/visible-items',
    operationId: 'countVisibleItems',
    about: 'Counts the items of a list that a token with these rules would see.',
    notes:
      'Changes nothing. The count has the bounds of the `total` of a page with filters: 10,000, and the rows that a call examines. `activated` and `indexable` of the list are ignored.',
    response: { 200: visibleCount },
    permission: 'user',
    body: { maxBytes: bodyBytes.other, schema: triedRules },
    errors: ['INDEX_BUILDING', 'INDEX_BUILD_FAILED'],
    async handle({ principal, params, body }, deps) {
      return ok(await countVisible(deps, { principal, list: params.list, tried: body }))
    },
  }),
]
