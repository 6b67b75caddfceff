import { bodyBytes, idempotencyKey, maxCounted, maxJsonDepth, page } from '#shared/domain/limits.ts'

const mib = (bytes: number) => `${bytes / 1024 / 1024} MiB`

/** The introduction of the API's description, as Markdown: rules that apply to many calls. */
export const introduction = `JSON over HTTP. Ids are lower-case UUIDs of version 7, times are ISO 8601 in UTC with milliseconds.

# Authentication

A request is authenticated in one of three modes:

- **Token**: the header \`x-api-token\` has an API token, which may do what its rules allow.
- **Token with identity**: in addition, \`x-identity-token\` has the session of an identity, and \`x-identity-group\` the group of the
  identity if it has one. Rules such as \`view-with-identity\` then cover the items that the identity owns.
- **User**: \`authorization: Bearer\` or the cookie \`service_session\` has the session of a signed-in user, who may do everything in the
  account.

# Pages and cursors

\`page\` and \`limit\` (at most ${page.maxLimit}, by default ${page.defaultLimit}) return a page by number, with its \`total\`. \`after\`, empty for the first page,
returns a page by cursor: \`next\` is the \`after\` of the next page, or null. Cursors stay stable while rows are written. \`order\` and
\`direction\` order the rows. A filtered total is counted up to ${maxCounted}. \`page\` times \`limit\` is at most ${page.maxReach}; \`after\` reaches every row.

# Filters

A filter on text finds a part of it, ignoring case. \`eq:\` compares the whole text, \`starts:\` its beginning, \`in:a,b\` finds any of
several. \`tagged=a,b\` finds rows with either tag; repeat the parameter for rows with both. Items are also filtered by the path names
of the indexes of their list: \`serves=gte:4\`, \`day=after:2026-03-01\`.

# Errors

Every error has a \`name\` and a \`code\`, which never change, a \`message\` for people, and a \`requestId\`. All errors of a body or a query
are returned at once, in \`details.errors\`. 429, 503 and \`INDEX_BUILDING\` have \`retry-after\`, in seconds. A resource
that the caller may not see is answered like one that does not exist: 404.

# Conditional reads

A read with \`if-none-match\` is answered 304 while nothing has changed. An item, its data, a list, an index, a flow and a webhook always
have an \`etag\`; other reads have one only if the request has such a header. Send \`""\` to get the first one.

# Conditional writes

Every answer with an item has its \`etag\`. A write with \`if-match\` succeeds only while the item still has that \`etag\`; otherwise
the answer is 412 \`ITEM_PRECONDITION_FAILED\`. Writes that do not support such a header reject it.

# Idempotency

The creation of an item, a batch and a call of a flow accept \`Idempotency-Key\`. For ${idempotencyKey.keptMs / 3_600_000} hours a request with the same key and
body gets the answer of the first one, and nothing is executed twice.

# Limits

A body has at most ${mib(bodyBytes.other)}; with an item 64 KiB more, a sync document or a batch ${mib(bodyBytes.batch)}. Some bodies, such as those of
public calls and of registrations, have at most 16 KiB. JSON is nested at most ${maxJsonDepth} levels deep. Unknown properties of a body and
unknown query parameters are errors.
`
