import { isKeyText, maxKeys, splitKeys } from '#shared/crypto/key-text.ts'
import { passwordErrors } from '#shared/domain/identity/password.ts'
import { passwordCost } from '#shared/domain/limits.ts'
import { emailErrors } from '#shared/domain/user/user.ts'
import { cidrForm, parseCidr } from '#shared/net/cidr.ts'
import { plansRule } from './plans.ts'
import { isUrl, numbers, oneOf, port, type Rule, text, texts, wholeNumber, yesOrNo } from './rules.ts'

/** The rule, the description, whether the value is secret, and whether it is a path. */
export type Setting<T = unknown> = { rule: Rule<T>; about: string; secret?: true; path?: true }

/** Settings, or groups of them, by name. */
export type SettingTree = { readonly [name: string]: Setting | SettingTree }

const networks = texts(cidrForm, (value) => parseCidr(value) !== null)

/**
 * All settings (contract 4), in the form of `config/default.json`, which has the defaults. The environment variable of a
 * key is `LISTD_` and its path in upper snake case, for a secret also with `_FILE`; see `env-name.ts`.
 */
export const schema = {
  dataDir: folder('The data directory: the SQLite database, the master key and the store of nats-server.'),
  gateway: {
    host: setting(text('a host name or address', isHost), 'The address the API listens on.'),
    port: setting(port, 'The port of the API; 0 means any free one.'),
    publicUrl: setting(
      text('empty or an http(s) URL without path', isOrigin),
      'The address that clients use; empty means http://host:port, or that of this machine when host is every address.',
    ),
    trustedProxies: setting(networks, 'Proxies whose x-forwarded-for is trusted.'),
    dashboard: setting(yesOrNo, 'Whether the dashboard is served, at /dashboard/.'),
    opsPort: setting(port, "The port of the gateway's health and metrics; 0 turns it off."),
  },
  identity: {
    opsPort: setting(port, "The port of identity's health and metrics; 0 turns it off."),
  },
  dispatcher: {
    leaseSeconds: setting(
      wholeNumber(1, 3_600),
      'How long the lease of a webhook lasts before the dispatcher must renew it.',
    ),
    concurrency: setting(wholeNumber(1, 10_000), 'How many webhooks one dispatcher serves at once.'),
    opsPort: setting(port, "The port of the dispatcher's health and metrics; 0 turns it off."),
  },
  ops: {
    host: setting(
      text('empty, or a host name or address', (value) => value === '' || isHost(value)),
      'The address that the ports of health and metrics listen on; empty means every address.',
    ),
  },
  log: {
    level: setting(
      oneOf('trace', 'debug', 'info', 'warn', 'error', 'silent'),
      'The lowest level that is logged; docs/logging.md lists the events.',
    ),
    format: setting(
      oneOf('auto', 'json', 'text'),
      'The format of the log: JSON, or text for people; auto is text on a terminal and JSON elsewhere.',
    ),
    loginNames: setting(
      yesOrNo,
      'Whether log lines of rejected logins include the name or email address that was typed; people sometimes type passwords there.',
    ),
  },
  database: {
    url: secret(
      text(
        'empty, sqlite:<file>, or postgres://… or mysql://… with a host and a database and without parameters',
        isDatabaseUrl,
      ),
      'The database, with user and password; empty is SQLite in the data directory.',
    ),
    pool: setting(wholeNumber(1, 200), 'The maximum number of connections to a database server per process.'),
    tls: setting(yesOrNo, 'Whether connections to a database server are encrypted and its certificate is checked.'),
    caFile: file('A PEM file of certificate authorities that are trusted for the database instead of the public ones.'),
  },
  nats: {
    url: secret(
      text('empty, nats://host:port or tls://host:port', (value) => value === '' || isUrl(value, ['nats', 'tls'])),
      'The NATS server; empty lets the supervisor start its own.',
    ),
    serverPath: file('The nats-server program; empty means the one that came with listd, otherwise the first on PATH.'),
    credsFile: file('A NATS credentials file.'),
    tls: setting(yesOrNo, 'Whether connections to NATS must be encrypted.'),
    replicas: setting(wholeNumber(1, 5), 'The number of copies of the stream in a NATS cluster.'),
    prefix: setting(
      text('empty, or up to 50 letters, digits, hyphens and underscores', (value) =>
        /^[A-Za-z0-9_-]{0,50}$/.test(value),
      ),
      "The prefix of listd's names on NATS, for NATS servers that allow users only certain subjects; empty: derived from the installation's id.",
    ),
  },
  admin: {
    email: setting(
      text('empty or an email address', (value) => value === '' || emailErrors(value, '').length === 0),
      'The email of the first user; ignored once there is a user.',
    ),
    password: secret(
      text('empty or 8 to 256 characters', (value) => value === '' || passwordErrors(value, '').length === 0),
      "The first user's password.",
    ),
  },
  secrets: {
    masterKey: secret(
      text('empty, or up to eight keys of 32 bytes in base64, separated by commas or lines', isKeyList),
      'The key that encrypts secrets in the database, and other keys that only decrypt; with SQLite `listd start` creates one.',
    ),
  },
  webhooks: {
    allowCidrs: setting(networks, 'Networks that webhooks may reach in addition to the public internet.'),
    allowHttp: setting(
      yesOrNo,
      'Whether URLs of webhooks may begin with http:// if every address of their host is in allowCidrs; anyone on the network path can read and change such deliveries.',
    ),
    caFile: file('A PEM file of certificate authorities that are trusted in addition to the public ones.'),
    retrySeconds: setting(
      numbers({ count: 7, countText: 'seven', min: 0, max: 2_592_000 }),
      'Seconds from the end of an attempt to the next one, for the second to the eighth attempt.',
    ),
    timeoutMs: setting(wholeNumber(10, 120_000), 'The time-out of a whole attempt, in milliseconds.'),
    maxWaiting: setting(
      wholeNumber(1, 1_000_000),
      'How many deliveries may wait for one webhook; further events are held for it.',
    ),
    maxHeld: setting(
      wholeNumber(0, 100_000_000),
      'How many events may be held for one webhook; it misses further ones.',
    ),
    maxHeldDays: setting(wholeNumber(1, 3_650), 'How many days an event is held for a webhook; then it is missed.'),
    disableAfter: setting(wholeNumber(1, 1_000_000), 'How many final failures in a row disable a webhook.'),
    retentionDays: setting(wholeNumber(1, 3_650), 'How many days a settled delivery is kept.'),
    headerPrefix: setting(
      text(
        'lower-case words joined by hyphens, but not webhook, the prefix of the other headers',
        (value) => /^[a-z0-9]+(-[a-z0-9]+)*$/.test(value) && value.length <= 50 && value !== 'webhook',
      ),
      'The prefix of the three headers of a delivery that are specific to listd.',
    ),
  },
  notifications: {
    url: setting(
      text('empty or an http(s) URL', (value) => value === '' || isUrl(value, ['http', 'https'])),
      'The URL that is notified of webhooks that were disabled; it follows the rules of the URL of a webhook.',
    ),
    secret: secret(
      text('empty, or whsec_ and 24 to 64 bytes in base64', (value) => value === '' || isSigningSecret(value)),
      'The secret that signs notifications.',
    ),
  },
  passwords: {
    memoryMib: setting(
      wholeNumber(passwordCost.minMemoryMib, passwordCost.maxMemoryMib),
      'Memory of one Argon2id hash, in MiB.',
    ),
    operations: setting(
      wholeNumber(passwordCost.minOperations, passwordCost.maxOperations),
      'Passes of one Argon2id hash.',
    ),
  },
  registrations: {
    perAddressAndMinute: setting(
      wholeNumber(0, 1_000_000),
      'How many identities one client address (of IPv6 its /64) may register per minute with API tokens; 0 means no limit.',
    ),
    perTokenAndMinute: setting(
      wholeNumber(0, 1_000_000),
      'How many identities may be registered per minute with one API token; 0 means no limit.',
    ),
  },
  events: {
    retentionDays: setting(wholeNumber(1, 36_500), 'How many days an entry of the event log is kept.'),
  },
  flows: {
    retentionDays: setting(wholeNumber(1, 3_650), 'How many days a recorded run of a flow is kept.'),
  },
  realtime: {
    connections: setting(wholeNumber(0, 2_000), 'How many live streams one gateway serves at a time.'),
    perAddress: setting(wholeNumber(0, 2_000), 'How many live streams of one gateway a client address may have.'),
  },
  items: {
    maxBytes: setting(wholeNumber(1_024, 16_777_216), "The maximum size of one item's data, in bytes."),
  },
  plans: setting(plansRule, 'The price plans by id; new accounts are on scale.'),
} as const satisfies SettingTree

/** The type of the values of a tree of settings. */
export type ValuesOf<Tree> = {
  readonly [Name in keyof Tree]: Tree[Name] extends Setting<infer Value> ? ReadonlyValue<Value> : ValuesOf<Tree[Name]>
}
type ReadonlyValue<Value> = Value extends (infer Entry)[] ? readonly Entry[] : Value

function setting<T>(rule: Rule<T>, about: string): Setting<T> {
  return { rule, about }
}

function secret<T>(rule: Rule<T>, about: string): Setting<T> {
  return { rule, about, secret: true }
}

/** A path, relative to the working directory. */
function folder(about: string): Setting<string> {
  return { rule: text('a path', (value) => value !== ''), about, path: true }
}

/** A path that may be empty. */
function file(about: string): Setting<string> {
  return { rule: text('empty or a path', () => true), about, path: true }
}

function isSigningSecret(value: string): boolean {
  const [, key = ''] = /^whsec_([A-Za-z0-9+/]+={0,2})$/.exec(value) ?? []
  const bytes = Buffer.from(key, 'base64')
  return bytes.length >= 24 && bytes.length <= 64 && bytes.toString('base64') === key
}

function isHost(value: string): boolean {
  return /^[A-Za-z0-9.:_-]+$/.test(value)
}

function isKeyList(value: string): boolean {
  const keys = splitKeys(value)
  return value === '' || (keys.length <= maxKeys && keys.every(isKeyText))
}

function isOrigin(value: string): boolean {
  return value === '' || (isUrl(value, ['http', 'https']) && new URL(value).href === `${new URL(value).origin}/`)
}

/** Whether a text is valid for `database.url`; it may be empty. */
export function isDatabaseUrl(value: string): boolean {
  if (value === '' || /^sqlite:.+/.test(value)) return true
  if (!isUrl(value, ['postgres', 'postgresql', 'mysql'])) return false
  // Parameters would override other settings of the drivers, such as encryption.
  const { pathname, search, hash, username, password } = new URL(value)
  return /^\/[^/]+$/.test(pathname) && search + hash === '' && isEncoded(username + password + pathname)
}

/** Whether a part of a URL can be decoded. */
function isEncoded(part: string): boolean {
  try {
    return decodeURIComponent(part) !== ''
  } catch {
    return false
  }
}
