import Joi from 'joi'
import type { ActivatedFilter } from '#services/gateway/auth/visibility.ts'
import { joi, type SchemasOf } from '#services/gateway/schemas/joi.ts'
import { textPrefixes } from '#services/gateway/schemas/page-schemas.ts'
import { dateForm, queryBoolean, withPlus } from '#services/gateway/schemas/query-schemas.ts'
import { type FilteredField, itemFilters } from '#shared/domain/item/filters.ts'
import { type AliasFilter, readAliasFilter } from '#shared/domain/item/questions/alias-filter.ts'
import { readFieldFilter } from '#shared/domain/item/questions/field-filter.ts'
import { isEmptyFilter, readNegation } from '#shared/domain/item/questions/negation.ts'
import { leavesOf, type Question } from '#shared/domain/item/questions/question.ts'
import { readSearchFilter, type SearchFilter } from '#shared/domain/item/questions/search-filter.ts'
import { whereBounds } from '#shared/domain/item/questions/where.ts'
import { maxTags } from '#shared/domain/limits.ts'
import { queryLimits, type SearchOptions, searchMatches } from '#shared/domain/search/query.ts'

/** The given filters on items, except those on indexes. An item must pass all of them. */
export type ItemFilters = SearchOptions & { [Field in Exclude<FilteredField, FilteredField<'flag'>>]?: Question[] } & {
  alias?: AliasFilter
  readonly?: boolean
  activated?: ActivatedFilter
  /** Only items that the identity of the request owns. */
  mine?: true
  search?: SearchFilter
  /** Conditions as JSON text. */
  where?: string
}

const maxLength = 10_000
/** The most values of one parameter that is repeated. */
const maxRepeated = 20
/** Tags of all groups together: each item that the most selective group finds is checked against the other groups. */
const maxTagsInAll = 60

/** Characters of some hundred ids. */
const maxIdsLength = 4_000

const contrary = '`not:` inverts the filter.'

/** A flag; `not:true` is `false`. */
const flagSchema = () => queryBoolean().truthy('not:false', 'not:0').falsy('not:true', 'not:1')

/** A flag, or `any` for both of its values. */
const activated = Joi.alternatives(flagSchema(), Joi.string().valid(itemFilters.activated.both))
  .description(
    '`false` shows items that are not activated, if the request may see them; `any` shows both. ' +
      'The default is `true` with an API token, `any` for users.',
  )
  .messages({
    'alternatives.types': '{{#label}} must be true, false or any',
    'alternatives.match': '{{#label}} must be true, false or any',
  })

type Read = Question[] | { error: string }

/** Filters on a field of items, by a parameter that may be repeated: an item must pass each. One without a value is ignored. */
function repeatedSchema(read: (texts: readonly string[]) => Read, description: string): Joi.Schema {
  return joi
    .array()
    .max(maxRepeated)
    .check((texts: string[], { error }) => checked(read(texts.filter(isSet)), error), {
      description: `${description} ${contrary} If repeated, each must pass.`,
    })
    .items(Joi.string().allow('').max(maxLength))
    .single()
    .messages(filterMessages)
}

const isSet = (text: string) => !isEmptyFilter(text)
const filterMessages = { 'filter.form': '{{#label}} {{#why}}' }

function checked(read: Read, error: Joi.CustomHelpers['error']): unknown {
  return 'error' in read ? error('filter.form', { why: read.error }) : read
}

function readEach(field: FilteredField, texts: readonly string[]): Read {
  const read = texts.map((text) => readFieldFilter(field, text))
  return read.find((one) => 'error' in one) ?? read.flatMap((one) => ('error' in one ? [] : [one]))
}

function idsSchema(field: FilteredField<'id'>, description: string) {
  return joi
    .string()
    .allow('')
    .max(maxIdsLength)
    .check((text: string, { error }) => (isEmptyFilter(text) ? '' : checked(readEach(field, [text]), error)), {
      description: `${description} ${contrary}`,
    })
    .messages(filterMessages)
}

const timeSchema = (field: FilteredField<'date'>, description: string) =>
  repeatedSchema((texts) => readEach(field, texts.map(withPlus)), `${description} ${dateForms}`)
const dateForms =
  `${dateForm}. Plain or with \`eq:\`, \`lt:\`, \`lte:\`, \`gt:\`, \`gte:\`, or \`before:\` or \`after:\`, which include the time; a day in UTC with ` +
  '`on:`; or `in:a,b` for any of several.'
const numberForms = 'Plain or with `lt:`, `lte:`, `gt:`, `gte:` or `eq:`, or `in:a,b` for any of several.'

function readTagGroups(texts: readonly string[]): Read {
  const read = readEach('tagged', texts.filter(namesTag))
  if ('error' in read) return read
  const tags = leavesOf(read).flatMap((leaf) => (leaf.kind === 'tagged' && leaf.anyOf) || [])
  return tags.length > maxTagsInAll ? { error: `must name at most ${maxTagsInAll} tags in all` } : read
}

const namesTag = (text: string) => /[^\s,]/.test(readNegation(text).rest)

/** The options of a search for words (contract 2.1). */
export const searchOptionSchemas: SchemasOf<SearchOptions> = {
  prefix: queryBoolean().description(
    'Whether the last word is the beginning of a word, for a search while a person types.',
  ),
  match: Joi.valid(...searchMatches).description(
    'Whether an item must have at least one of the words, which is the default, or every word.',
  ),
}

/** The schemas of the filters on items in a query. */
export const itemFilterSchemas: SchemasOf<ItemFilters> = {
  id: idsSchema('id', 'The id of an item, or `in:a,b` for any of several; unknown ids find nothing.'),
  alias: joi
    .string()
    .allow('')
    .max(maxLength)
    .check((text: string) => (isEmptyFilter(text) ? '' : readAliasFilter(text)), {
      description: `A part of the alias, ignoring case. ${textPrefixes}; \`null\` finds items without an alias. ${contrary}`,
    }),
  readonly: flagSchema().description('Only items with this value.'),
  activated,
  identityId: idsSchema(
    'identityId',
    'The id of the identity that owns an item, or `in:a,b` for any of several; `null` finds items without an owner.',
  ),
  mine: queryBoolean().valid(true).description('Only items that the identity of the request owns.'),
  tagged: repeatedSchema(
    readTagGroups,
    `Tags; a comma is OR; \`null\` finds items without tags. At most ${maxTags} tags at once and ${maxTagsInAll} in all.`,
  ),
  createdAt: timeSchema('createdAt', 'When items were created.'),
  updatedAt: timeSchema('updatedAt', 'When items were last changed.'),
  version: repeatedSchema((texts) => readEach('version', texts), `A part of the version. ${textPrefixes}.`),
  size: repeatedSchema(
    (texts) => readEach('size', texts),
    `Bytes of the data. ${numberForms} Not for tokens if the list has guard indexes.`,
  ),
  search: joi
    .string()
    .allow('')
    .check(
      (text: string, { error }) => {
        const read = isEmptyFilter(text) ? '' : readSearchFilter(text)
        return read !== '' && 'error' in read ? error('filter.form', { why: read.error }) : read
      },
      {
        description:
          `Words in the values of indexes with \`searching\`, of which an item must have at least one, or with \`match=all\` every one: ${queryLimits.minLength} to ${queryLimits.maxLength} characters (${queryLimits.minShort} with Han, kana or Hangul), ` +
          `at most ${queryLimits.maxTerms} words. ${contrary}`,
      },
    )
    .messages(filterMessages),
  ...searchOptionSchemas,
  where: joi
    .string()
    .allow('')
    .max(whereBounds.length)
    .description(
      'Conditions as JSON text, such as `{"or": [{"title": "soup"}, {"not": {"tagged": "draft"}}]}`: each key is an index or one of these filters, each value a filter in the format of its parameter, or `null`; ' +
        `at most ${whereBounds.leaves} conditions, in ${whereBounds.levels} levels of \`or\`, \`and\` and \`not\`. Several keys in one object are \`and\`.`,
    ),
}
