/**
 * The author of a change, in events and webhook payloads (specification, "Event payload"). Which user it was is in the log, where
 * only users see it.
 */
export type Actor =
  | { authMode: 'token'; tokenId: string; identityId: string | null }
  | { authMode: 'user'; tokenId: null; identityId: null; userId?: string }
  | { authMode: 'flow'; tokenId: string | null; identityId: string | null; flowId: string; runId: string }
