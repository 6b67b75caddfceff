import { createPages, type PageOptions, type Pages, type Where } from '../pages.ts'
import { type Answer, type CallOptions, route, type Send } from '../transport.ts'
import type {
  EmailVerification,
  Event,
  Identity,
  IdentityFields,
  IdentityLogin,
  IdentityName,
  IdentityProvider,
  IdentitySession,
  OneTimeTokenRequest,
  OwnIdentity,
  OwnIdentityChange,
  PasswordReset,
  Registration,
  Stats,
} from '../types/resources.ts'
import { createEvents, type EventOptions, type EventsOptions, type StatsOptions } from './events.ts'

/** The credentials of an identity: its token, and its group if it has one. */
export type IdentityCredentials = { token: string; group?: string | null | undefined }

/** Stores the credentials of an identity as one text, for example in `sessionStorage`. */
export type IdentityStore = {
  load(): string | null | Promise<string | null>
  /** @param text null: remove what is stored */
  save(text: string | null): void | Promise<void>
}

/** An id, or `group/name`; `/name` in the ungrouped space. */
type IdentityRef = string

/** The identities of the account: the users of its own product. */
export type Identities<Acting> = {
  register(fields: Registration, options?: CallOptions): Answer<OwnIdentity>
  /** Signs an identity in, and saves its credentials in the client's `identityStore`. @returns a client that acts as it */
  login(fields: IdentityName & { password: string }, options?: CallOptions): Promise<Acting & { login: IdentityLogin }>
  /** A client that acts as the identity whose credentials were saved; null without any. */
  resume(): Promise<Acting | null>
  /** Alternatives to a password for signing in to the group: none yet. */
  providers(options?: CallOptions & { group?: string | undefined }): Answer<IdentityProvider[]>
  requestPasswordReset(who: OneTimeTokenRequest, options?: CallOptions): Answer<PasswordReset>
  resetPassword(fields: { resetToken: string; password: string }, options?: CallOptions): Answer<OwnIdentity>
  requestEmailVerification(who: OneTimeTokenRequest, options?: CallOptions): Answer<EmailVerification>
  verifyEmail(fields: { verificationToken: string }, options?: CallOptions): Answer<OwnIdentity>

  create(fields: IdentityFields & { name: string; group?: string | null }, options?: CallOptions): Answer<Identity>
  all(options?: PageOptions<Where<'group' | 'name' | 'displayName'>>): Pages<Identity>
  get(identity: IdentityRef, options?: CallOptions): Answer<Identity>
  update(identity: IdentityRef, fields: IdentityFields, options?: CallOptions): Answer<Identity>
  delete(identity: IdentityRef, options?: CallOptions): Answer<void>
  events(identity: IdentityRef, options?: Omit<EventsOptions, 'includeGuarded'>): Pages<Event>
  event(identity: IdentityRef, event: string, options?: Omit<EventOptions, 'includeGuarded'>): Answer<Event>
  stats(identity: IdentityRef, options?: StatsOptions): Answer<Stats>
}

/** The identity that a client acts as. */
export type Self = {
  get(options?: CallOptions): Answer<OwnIdentity>
  update(fields: OwnIdentityChange, options?: CallOptions): Answer<OwnIdentity>
  /** Deletes the identity and the saved credentials. */
  delete(options?: CallOptions): Promise<void>
  /** Ends this session, or with `all` every session of the identity, and deletes the saved credentials. */
  logout(fields?: { all?: boolean }, options?: CallOptions): Promise<void>
  sessions(options?: Omit<PageOptions, 'where'>): Pages<IdentitySession>
  session(session: string, options?: CallOptions): Answer<IdentitySession>
  endSession(session: string, options?: CallOptions): Answer<void>
  endSessions(options?: CallOptions): Answer<void>
}

/** @param actAs creates a client that acts as an identity */
export function createIdentities<Acting extends object>(
  send: Send,
  store: IdentityStore,
  actAs: (identity: IdentityCredentials) => Acting,
): Identities<Acting> {
  const pathOf = (identity: IdentityRef) => route`/identities/${identity}`
  return {
    register: (body, options) => send('POST /identities/register', { body, options }),
    async login(body, options) {
      const login = await send<IdentityLogin>('POST /identities/login', { body, options })
      const identity = { token: login.token, group: login.group }
      await store.save(JSON.stringify(identity))
      return { ...actAs(identity), login }
    },
    async resume() {
      const text = await store.load()
      return text === null ? null : actAs(JSON.parse(text))
    },
    providers: (options) => send('GET /identities/oauth/providers', { options }),
    requestPasswordReset: (body, options) => send('POST /identities/password-reset', { body, options }),
    resetPassword: (body, options) => send('POST /identities/password-reset/confirm', { body, options }),
    requestEmailVerification: (body, options) => send('POST /identities/email-verification', { body, options }),
    verifyEmail: (body, options) => send('POST /identities/email-verification/confirm', { body, options }),

    create: (body, options) => send('POST /identities', { body, options }),
    all: (options) => createPages(send, 'GET /identities', options),
    get: (identity, options) => send(`GET ${pathOf(identity)}`, { options }),
    update: (identity, body, options) => send(`PUT ${pathOf(identity)}`, { body, options }),
    delete: (identity, options) => send(`DELETE ${pathOf(identity)}`, { options }),
    ...createEvents(send, pathOf),
  }
}

export function createSelf(send: Send, store: IdentityStore): Self {
  const sessions = '/identities/self/sessions'
  return {
    get: (options) => send('GET /identities/self', { options }),
    update: (body, options) => send('PUT /identities/self', { body, options }),
    async delete(options) {
      await send('DELETE /identities/self', { options })
      await store.save(null)
    },
    async logout(body, options) {
      await send('POST /identities/logout', { body, options })
      await store.save(null)
    },
    sessions: (options) => createPages(send, `GET ${sessions}`, options),
    session: (session, options) => send(`GET ${sessions}${route`/${session}`}`, { options }),
    endSession: (session, options) => send(`DELETE ${sessions}${route`/${session}`}`, { options }),
    endSessions: (options) => send(`DELETE ${sessions}`, { options }),
  }
}
