/** The names of one installation on NATS, so that several installations can share an account without receiving each other's messages. */
export type Names = {
  /** The prefix of all of them. */
  prefix: string
  /** The name on NATS of one of listd's subjects. */
  subject(name: string): string
  stream: string
}

/**
 * @param prefix without dots, because it is part of the stream's name: `nats.prefix`, or what `prefixOf` derives from the
 * installation's id. An operator who allows NATS users single subjects allows `<prefix>.>`, `_INBOX.>` and `$JS.API.>`
 */
export function namesOf(prefix: string): Names {
  return { prefix, subject: (name) => `${prefix}.${name}`, stream: `${prefix}-events` }
}

/** The prefix of an installation for which none is configured: short, and from the random end of its id. */
export function prefixOf(installationId: string): string {
  return `listd-${installationId.slice(-12)}`
}
