import type { ApiToken, ApiTokenFields } from '#client/src/types/user-resources.ts'
import { account } from '../../api/client.ts'
import { useEdits } from '../../forms/use-edits.ts'

/** The fields of a token that can be set. */
type TokenDraft = Required<ApiTokenFields>

export type TokenForm = ReturnType<typeof useTokenForm>

/** The edits of a token. Nothing is sent before `save`. */
export function useTokenForm(token: ApiToken) {
  return useEdits({
    stored: token as TokenDraft,
    write: (changes: Partial<TokenDraft>) => account.tokens.update(token.id, changes),
    said: 'The token was saved.',
    stale: 'token',
  })
}
