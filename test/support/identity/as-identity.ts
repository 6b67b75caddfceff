import { type Api, createApi, served } from '../http/api.ts'
import type { Listd } from '../processes/listd.ts'

export type Who = { name: string; group?: string; displayName?: string }

export const identityPassword = 'canary-password-of-an-identity'

/** Registers an identity; after a rejection for lack of time it may already exist. */
export async function registerIdentity({ api }: Pick<Listd, 'api'>, who: Who): Promise<void> {
  const { status, text } = await served(() => register(api, who))
  if (status !== 201 && status !== 409) throw new Error(text)
}

export const register = (api: Api, who: Who) =>
  api('POST', '/identities/register', { body: { password: identityPassword, ...who } })

export const login = (api: Api, who: Who) =>
  api('POST', '/identities/login', { body: { password: identityPassword, ...who } })

/** Signs an identity in. @returns the API as the account's token on its behalf */
export async function asIdentity(listd: Listd, who: Who): Promise<Api & { token: string }> {
  const { status, text, json } = await served(() => login(listd.api, who))
  if (status !== 200) throw new Error(text)
  const group = who.group === undefined ? {} : { 'x-identity-group': who.group }
  const headers = { 'x-api-token': listd.credentials.token, 'x-identity-token': json.token, ...group }
  return Object.assign(
    createApi(() => listd.address, headers),
    { token: String(json.token) },
  )
}
