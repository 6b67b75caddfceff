/**
 * The author of a change, in events and webhook payloads (specification, "Event payload"). The log also records which user it was; only
 * users see that.
 */
export type Actor =
  | { authMode: 'token'; tokenId: string; identityId: string | null }
  | { authMode: 'user'; tokenId: null; identityId: null; userId?: string }
  | { authMode: 'flow'; tokenId: string | null; identityId: string | null; flowId: string; runId: string }
