import type { EventsOptions } from './calls/events.ts'
import type { Client, ClientOptions } from './client.ts'
import type { Filter } from './filters.ts'
import { createFlowRuns, type FlowRuns } from './flow-runs.ts'
import { createPages, type PageOptions, type Pages, type Where } from './pages.ts'
import { type Answer, type CallOptions, route } from './transport.ts'
import type { Event } from './types/resources.ts'
import type {
  AccountStats,
  ApiToken,
  ApiTokenFields,
  ApiTokenWithValue,
  IdentityGroup,
  IdentityGroupSettings,
  Nobody,
  OwnUserChange,
  Preferences,
  Setup,
  SignedIn,
  TriedRules,
  UserLogin,
  UserSession,
  VisibleCount,
} from './types/user-resources.ts'
import { createWebhooks, type Webhooks } from './webhooks.ts'

export type { FlowRuns, FlowRunsOptions } from './flow-runs.ts'
export type * from './types/user-resources.ts'
export type * from './webhooks.ts'

/** The calls of user mode. */
export type Manager<C> = {
  /** The client that sends these calls: everything else of the account. */
  client: C
  auth: Auth<C>
  webhooks: Webhooks
  tokens: Tokens
  groups: IdentityGroups
  flowRuns: FlowRuns
  /** Everything that happened in the account. */
  events(options?: AccountEventsOptions): Pages<Event>
  /** The activity of the last 24 hours, by hour. */
  stats(options?: CallOptions): Answer<AccountStats>
}

export type AccountEventsOptions = Omit<EventsOptions, 'where' | 'includeGuarded'> & {
  where?: { stream?: Filter<string>; type?: Filter<string> } | undefined
}

/** Signing in, and the user's own account. */
export type Auth<C> = {
  /** @returns calls by this user */
  login(fields: { email: string; password: string }, options?: CallOptions): Promise<Manager<C> & { login: UserLogin }>
  logout(options?: CallOptions): Answer<void>
  /** Creates the first user, with the token of the set-up link. */
  setUp(fields: { setupToken: string; email: string; password: string }, options?: CallOptions): Answer<Setup>
  get(options?: CallOptions): Answer<SignedIn>
  /** The same, or null where no user is signed in. */
  find(options?: CallOptions): Promise<SignedIn | null>
  update(fields: OwnUserChange, options?: CallOptions): Answer<SignedIn>
  /** An object that the dashboard stores for the user; initially empty. */
  preferences(options?: CallOptions): Answer<Preferences>
  /** Replaces all of it; of two writes the last one stays. */
  replacePreferences(preferences: Preferences, options?: CallOptions): Answer<Preferences>
  sessions(options?: Omit<PageOptions, 'where'>): Pages<UserSession>
  session(session: string, options?: CallOptions): Answer<UserSession>
  endSession(session: string, options?: CallOptions): Answer<void>
  endSessions(options?: CallOptions): Answer<void>
}

export type Tokens = {
  /** The answer has the token's value. */
  create(fields: ApiTokenFields, options?: CallOptions): Answer<ApiTokenWithValue>
  all(options?: PageOptions<Where<'name' | 'description'>>): Pages<ApiToken>
  get(token: string, options?: CallOptions): Answer<ApiToken>
  update(token: string, fields: Partial<ApiTokenFields>, options?: CallOptions): Answer<ApiToken>
  delete(token: string, options?: CallOptions): Answer<void>
  /** Replaces the token's value; the old one is rejected at once. */
  rotate(token: string, options?: CallOptions): Answer<ApiTokenWithValue>
  /** How many items of a list a token with these rules would see; changes nothing. */
  countVisible(list: string, tried: TriedRules, options?: CallOptions): Answer<VisibleCount>
}

/** Groups of identities, by id or name. */
export type IdentityGroups = {
  create(fields: { name: string } & IdentityGroupSettings, options?: CallOptions): Answer<IdentityGroup>
  all(options?: PageOptions<{ name?: Filter<string> }>): Pages<IdentityGroup>
  get(group: string, options?: CallOptions): Answer<IdentityGroup>
  update(group: string, fields: IdentityGroupSettings, options?: CallOptions): Answer<IdentityGroup>
  delete(group: string, options?: CallOptions): Answer<void>
}

type Managed<C> = Pick<Client, 'send'> & { with(options: Partial<ClientOptions>): C }

/** User mode: `manage(createClient({ url, session }))`, or without a session to sign in. */
export function manage<C extends Managed<C>>(client: C): Manager<C> {
  return {
    client,
    auth: createAuth(client),
    webhooks: createWebhooks(client),
    tokens: createTokens(client),
    groups: createGroups(client),
    flowRuns: createFlowRuns(client),
    events: (options) => createPages(client.send, 'GET /events', options),
    stats: (options) => client.send('GET /stats', { options }),
  }
}

function createAuth<C extends Managed<C>>(client: C): Auth<C> {
  const { send } = client
  const sessions = '/auth/self/sessions'
  return {
    async login(body, options) {
      const login = await send<UserLogin>('POST /auth/login', { body, options })
      return { ...manage(client.with({ session: login.token, token: undefined, identity: undefined })), login }
    },
    logout: (options) => send('POST /auth/logout', { options }),
    setUp: (body, options) => send('POST /auth/setup', { body, options }),
    get: (options) => send('GET /auth/self', { options }),
    async find(options) {
      const self = await send<SignedIn | Nobody>('GET /auth/self?optional=true', { options })
      return self.user === null ? null : self
    },
    update: (body, options) => send('PUT /auth/self', { body, options }),
    preferences: (options) => send('GET /auth/self/preferences', { options }),
    replacePreferences: (body, options) => send('PUT /auth/self/preferences', { body, options }),
    sessions: (options) => createPages(send, `GET ${sessions}`, options),
    session: (session, options) => send(`GET ${sessions}${route`/${session}`}`, { options }),
    endSession: (session, options) => send(`DELETE ${sessions}${route`/${session}`}`, { options }),
    endSessions: (options) => send(`DELETE ${sessions}`, { options }),
  }
}

function createTokens({ send }: Pick<Client, 'send'>): Tokens {
  const pathOf = (token: string) => route`/tokens/${token}`
  return {
    create: (body, options) => send('POST /tokens', { body, options }),
    all: (options) => createPages(send, 'GET /tokens', options),
    get: (token, options) => send(`GET ${pathOf(token)}`, { options }),
    update: (token, body, options) => send(`PUT ${pathOf(token)}`, { body, options }),
    delete: (token, options) => send(`DELETE ${pathOf(token)}`, { options }),
    rotate: (token, options) => send(`POST ${pathOf(token)}/rotate`, { options }),
    countVisible: (list, body, options) => send(route`POST /lists/${list}/visible-items`, { body, options }),
  }
}

function createGroups({ send }: Pick<Client, 'send'>): IdentityGroups {
  const pathOf = (group: string) => route`/identity-groups/${group}`
  return {
    create: (body, options) => send('POST /identity-groups', { body, options }),
    all: (options) => createPages(send, 'GET /identity-groups', options),
    get: (group, options) => send(`GET ${pathOf(group)}`, { options }),
    update: (group, body, options) => send(`PUT ${pathOf(group)}`, { body, options }),
    delete: (group, options) => send(`DELETE ${pathOf(group)}`, { options }),
  }
}
