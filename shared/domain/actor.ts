/** Who made a change, as events and webhook payloads tell it (specification, "Event payload"). */
export type Actor =
  | { authMode: 'token'; tokenId: string; identityId: string | null }
  | { authMode: 'user'; tokenId: null; identityId: null }
  | { authMode: 'flow'; tokenId: string | null; identityId: string | null; flowId: string; runId: string }
