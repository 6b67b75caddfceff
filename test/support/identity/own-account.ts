import { makeAccount, type TestAccount } from '../http/callers.ts'
import { type Call, call, type Reply } from '../http/client.ts'
import type { TestGateway } from '../http/gateway.ts'

type Body = Record<string, unknown>

/** An identity that registered, with one session. */
export type Registered = {
  id: string
  /** The credentials of its session. */
  headers: Record<string, string>
  token: string
}

/** A separate account for a test of identities, with a token that may do everything. */
export type OwnAccount = TestAccount & {
  ask(request: Call): Promise<Reply>
  register(given: { name: string; group?: string; email?: string; password?: string }): Promise<Registered>
  login(given: { name: string; group?: string; password?: string }): Promise<Reply>
  /** The entries of its event log about identities, without registrations, the newest first. */
  events(): Promise<Body[]>
}

export const firstPassword = 'canary-password-one'

export async function ownAccount({ deps: { db }, port }: TestGateway): Promise<OwnAccount> {
  const account = await makeAccount(db)
  const everything = await account.token([
    { mode: 'allow', action: '*' },
    { mode: 'allow', action: 'reset-password' },
    { mode: 'allow', action: 'verify-email' },
  ])
  const ask = (request: Call) => call(port, { headers: everything, ...request })
  const post = (path: string, body: Body) => ask({ method: 'POST', path, body: { password: firstPassword, ...body } })
  const login: OwnAccount['login'] = (given) => post('/identities/login', given)
  return {
    ...account,
    ask,
    login,
    async register({ name, group, email, password = firstPassword }) {
      const grouped = group === undefined ? {} : { group }
      const created = await post('/identities/register', { name, ...grouped, ...(email && { email }), password })
      const { json, text } = await login({ name, ...grouped, password })
      if (created.status !== 201 || !json?.token) throw new Error(`${created.text} ${text}`)
      const token = String(json.token)
      const session = { 'x-identity-token': token, ...(group !== undefined && { 'x-identity-group': group }) }
      return { id: String(json.id), token, headers: { ...everything, ...session } }
    },
    async events() {
      const { json } = await call(port, { path: '/events?stream=identity&includeSnapshot=true', headers: account.user })
      const entries = (json?.data ?? []) as Body[]
      return entries.filter(({ type }) => type !== 'identity-created')
    },
  }
}

/** Status and error of an answer: `401 IDENTITY_NOT_AUTHENTICATED`. */
export const summary = ({ status, json }: Reply): string => (status < 400 ? `${status}` : `${status} ${json?.name}`)
