import { type Api, createApi } from '../http/api.ts'
import type { Receiver } from '../receivers/receiver.ts'
import type { Recording } from './recording.ts'

/** The password of everyone in the examples. */
export const password = 'correct horse battery staple'

/** The callers of the examples, all recorded. */
export type Cast = {
  anyone: Api
  /** The account's signed-in user. */
  user: Api
  /** The first API token, which may do everything. */
  token: Api
  /** A caller with other headers. */
  with(headers: Record<string, string>): Api
  /** The headers of the first API token. */
  tokenHeaders: Record<string, string>
  /** The account's signed-in user, for calls that are not examples. */
  unrecorded: Api
  receiver: Receiver
}

/** Sets the first user up, and returns all callers. */
export async function assembleCast(
  recording: Recording,
  { address, setupToken, receiver }: { address: string; setupToken: string | null; receiver: Receiver },
): Promise<Cast> {
  const caller = (headers: Record<string, string>) => recording.of(createApi(() => address, headers))
  const anyone = caller({})
  const body = { setupToken, email: 'ana@listd.example', password }
  const { json } = await anyone('POST', '/auth/setup', { body })
  const tokenHeaders = { 'x-api-token': json.apiToken.value }
  const session = { authorization: `Bearer ${json.token}` }
  return {
    anyone,
    receiver,
    tokenHeaders,
    with: caller,
    user: caller(session),
    unrecorded: createApi(() => address, session),
    token: caller(tokenHeaders),
  }
}
