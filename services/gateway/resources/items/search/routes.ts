import type Joi from 'joi'
import { json } from '#services/gateway/request/response.ts'
import { type Route, route } from '#services/gateway/request/route.ts'
import { joi } from '#services/gateway/schemas/joi.ts'
import { queryBoolean } from '#services/gateway/schemas/query-schemas.ts'
import { arrayOf, id, objectOf } from '#services/gateway/schemas/response-schemas.ts'
import { queryLimits, readQuery, type SearchOptions, searchTerms } from '#shared/domain/search/query.ts'
import type { ItemDeps } from '../context.ts'
import { searchOptionSchemas } from '../questions/filter-schemas.ts'
import { serializeVisibleItem, type Viewer } from '../reading/serialize.ts'
import { includeGuardedSchema, itemSchema } from '../schemas.ts'
import { type Found, searchItems } from './search-items.ts'

const { minLength, minShort, maxLength, maxTerms } = queryLimits

const words = joi
  .string()
  .check(readWords, { minLength: minShort, maxLength })
  .required()
  .description(
    `At most ${maxTerms} words, of which an item must have at least one, or with \`match=all\` every one; ${minLength} characters, or ${minShort} with Han, kana or Hangul. ` +
      'Case and marks do not count, and special letters are found by the letters that people type for them. A run of Han, kana or Thai characters counts as one word.',
  )
  .messages({ 'words.base': '{{#label}} {{#error}}' })

function readWords(text: string, { error }: Joi.CustomHelpers): unknown {
  const read = readQuery(text)
  return 'error' in read ? error('words.base', { error: read.error }) : read.typed
}

type SearchQuery = SearchOptions & { query: string[]; includeItems: boolean; includeGuarded: boolean }

const searchQuery = joi.object<SearchQuery>({
  query: words,
  ...searchOptionSchemas,
  includeItems: queryBoolean().default(false).description('Whether results have the item in place of its id.'),
  includeGuarded: includeGuardedSchema().default(false),
})

const relevance = {
  type: 'number',
  description: 'The BM25 score of the item; it compares results of one answer only.',
}

const result = {
  title: 'SearchResult',
  description: 'An item that was found: its id, or with `includeItems` the item.',
  anyOf: [
    objectOf(
      { relevance, id: { ...id, description: 'The id of the item.' } },
      {
        title: 'SearchResultId',
        description: 'An item that was found, by its id.',
      },
    ),
    objectOf(
      { relevance, item: itemSchema },
      { title: 'SearchResultItem', description: 'An item that was found, as a whole.' },
    ),
  ],
}

const truncatedHeader = 'x-search-truncated'
const truncatedAnswer = {
  [truncatedHeader]: {
    about:
      '`true`: the words have more entries than a search examines, and items beyond these could be among the best.',
    optional: true,
  },
} as const

/** Search (contract 2.1). */
export const itemSearchRoutes: readonly Route<ItemDeps>[] = [
  route({
    method: 'GET',
    path: '/lists/{list}/search',
    operationId: 'searchItems',
    about: 'The ten items that match some words best, best first.',
    notes:
      'Searches the values of the indexes with `searching` for whole words. Among items that match equally well the newest comes first.',
    response: { 200: arrayOf(result) },
    errors: ['INDEX_NOT_USABLE', 'INDEX_BUILDING'],
    headers: { response: truncatedAnswer },
    permission: { action: 'view', resourceType: 'item' },
    query: searchQuery,
    async handle(request, deps) {
      const { principal, params, query } = request
      const { query: typed, includeItems, ...options } = query
      const asked = searchTerms(typed, options)
      const { found, isTruncated } = await searchItems(deps, { principal, ...params, asked, includeItems })
      const text = `[${found.map((one) => serializeFound(one, { principal, query })).join(',')}]`
      return json(text, isTruncated ? { headers: { [truncatedHeader]: 'true' } } : {})
    },
  }),
]

function serializeFound({ relevance, id, result }: Found, viewer: Viewer): string {
  const shown = result ? `"item":${serializeVisibleItem(result, viewer)}` : `"id":${JSON.stringify(id)}`
  return `{"relevance":${relevance},${shown}}`
}
