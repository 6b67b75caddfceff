import { bodyBytes, idempotencyKey, maxCounted, maxJsonDepth, page } from '#shared/domain/limits.ts'

const mib = (bytes: number) => `${bytes / 1024 / 1024} MiB`

/** The introduction of the API's description, as Markdown: rules that apply to many calls. */
export const introduction = `JSON over HTTP. Ids are lower-case UUIDs of version 7, times are ISO 8601 in UTC with milliseconds.

# Authentication

A request has one of three modes:

- **Token**: the header \`x-api-token\` has an API token, which may do what its rules allow.
- **Token with identity**: in addition, \`x-identity-token\` has the session of an identity, and \`x-identity-group\` the group of the
  identity if it has one. Rules such as \`view-with-identity\` then cover the items that the identity owns.
- **User**: \`authorization: Bearer\` or the cookie \`service_session\` has the session of a signed-in user, who may do everything in the
  account.

# Pages and cursors

\`page\` and \`limit\` (at most ${page.maxLimit}, by default ${page.defaultLimit}) answer a page by number, with its \`total\`. \`after\`, empty for the first page,
answers a page by cursor: \`next\` is the \`after\` of the next page, or null. Cursors stay stable while rows are written. \`order\` and
\`direction\` order the rows. A filtered total is counted up to ${maxCounted}. \`page\` times \`limit\` is at most ${page.maxReach}; \`after\` reaches every row.

# Filters

A filter on text finds a part of it, ignoring case. \`eq:\` compares the whole text, \`starts:\` its beginning, \`in:a,b\` finds any of
several. \`tagged=a,b\` finds rows with either tag; repeat the parameter for rows with both. Items are also filtered by the path names
of the indexes of their list: \`serves=gte:4\`, \`day=after:2026-03-01\`.

# Errors

Every error has a \`name\` and a \`code\`, which never change, a \`message\` for people, and a \`requestId\`. All errors of a body or a query
are returned at once, in \`details.errors\`. 429, 503 and \`INDEX_BUILDING\` have \`retry-after\`, in seconds. What a caller may not
see is answered like what does not exist: 404.

# Conditional reads

A read with \`if-none-match\` is answered 304 while nothing has changed. An item, its data, a list, an index, a flow and a webhook always
have an \`etag\`; other reads have one where the request has such a header, which may be \`""\` at first.

# Conditional writes

Every answer with an item has its \`etag\`. A write with \`if-match\` succeeds only while the item still has that \`etag\`; otherwise
the answer is 412 \`ITEM_PRECONDITION_FAILED\`. Writes that do not support such a header reject it.

# Idempotency

A new item, a batch and a call of a flow take \`Idempotency-Key\`. For ${idempotencyKey.keptMs / 3_600_000} hours the same key with the same body is answered like the first request, and
nothing is done twice.

# Limits

A body has at most ${mib(bodyBytes.other)}, one with an item 64 KiB more, a sync document and a batch ${mib(bodyBytes.batch)}. What anybody may send, such as
a registration, has at most 16 KiB. JSON is nested at most ${maxJsonDepth} levels deep. Properties that a body does not know are errors, and so are
query parameters that a call does not know.
`
