import { setTimeout as pause } from 'node:timers/promises'
import { route } from '#client/src/main.ts'
import type { Delivery } from '#client/src/manage.ts'
import { objectMembers } from '#shared/json/text/offsets.ts'
import { printable } from '../../terminal/listing.ts'
import type { Terminal } from '../../terminal/terminal.ts'
import { untilInterrupted } from '../../terminal/until-interrupted.ts'
import { followLog } from '../follow-log.ts'
import { patiently } from '../patiently.ts'
import { type ProfileOptions, type SignedInUser, withProfile } from '../sessions/with-profile.ts'
import { type Forwarded, forward } from './forward.ts'
import { createSigner, type Signed } from './signer.ts'
import { readTarget } from './target.ts'

export type ListenOptions = ProfileOptions & { to: string; json?: true }

/** The pause after everything was forwarded: at most 24 rounds a minute, as 30 signing calls a minute are allowed. */
const intervalMs = 2_500

/** The longest wait between two tries to reach the address, in seconds. */
const mostSeconds = 10

/**
 * `listd webhooks listen`: also forwards the deliveries of a webhook from now on to another address, freshly signed, in order and one at
 * a time, until interrupted. The receiver of the webhook is not affected. While nothing listens at the address, the delivery waits; any
 * other failure is reported, and the next delivery follows.
 * @throws CommandFailed for a failed call that would fail again
 */
export async function listenCommand(terminal: Terminal, webhook: string, options: ListenOptions): Promise<void> {
  const to = readTarget(options.to)
  await withProfile(terminal, options, (user) =>
    untilInterrupted(async (signal) => {
      const listening = {
        terminal,
        user,
        webhook,
        to,
        signal,
        json: options.json === true,
        reportedOmitted: new Set<string>(),
      }
      const call = route`GET /webhooks/${webhook}/deliveries`
      const newest = await user.webhooks.deliveries(webhook).first()
      const log = followLog(terminal, user.client, { call, newest, signal })
      for await (const _ of log.round());
      await greet(listening)
      const sign = createSigner({ sign: (ids) => signDeliveries(listening, ids), now: () => performance.now() })
      for (;;) {
        await pause(intervalMs, undefined, { signal })
        for await (const deliveries of log.round()) await forwardAll(listening, deliveries, sign)
      }
    }),
  )
}

type Listening = {
  terminal: Terminal
  user: SignedInUser
  webhook: string
  to: string
  signal: AbortSignal
  json: boolean
  /** Names of headers whose absence was reported. */
  reportedOmitted: Set<string>
}

async function greet({ terminal: { stderr }, user, webhook, to }: Listening): Promise<void> {
  const { url, activated } = await user.webhooks.get(webhook)
  stderr.write(`${printable(`Deliveries to ${url} are also forwarded to ${to}`)}; press ctrl-c to stop.\n`)
  if (!activated) stderr.write('The webhook is not active, so nothing is forwarded.\n')
}

async function signDeliveries(listening: Listening, deliveries: readonly string[]): Promise<readonly Signed[]> {
  const { terminal, user, webhook, signal, reportedOmitted } = listening
  const answer = await patiently(terminal, { signal }, () => user.webhooks.sign(webhook, deliveries, { signal }))
  for (const name of answer.deliveries.flatMap(({ omitted }) => omitted)) {
    if (!reportedOmitted.has(name))
      terminal.stderr.write(`The header ${name} is not forwarded: its value is a secret.\n`)
    reportedOmitted.add(name)
  }
  return answer.deliveries
}

async function forwardAll(
  listening: Listening,
  deliveries: readonly Delivery[],
  sign: (ids: readonly string[]) => Promise<Signed>,
): Promise<void> {
  const { terminal, json } = listening
  const ids = deliveries.map(({ id }) => id)
  for (const [n, delivery] of deliveries.entries()) {
    const payload = await readPayload(listening, delivery)
    const outcome = await forwardOne(listening, { payload, sign: () => sign(ids.slice(n)) })
    terminal.stdout.write(`${json ? JSON.stringify(report(delivery, outcome)) : line(delivery, outcome)}\n`)
  }
}

/** The text as it was sent: parsed and serialized again, it would have another signature. */
async function readPayload({ terminal, user, webhook, signal }: Listening, { id }: Delivery): Promise<string> {
  const call = () => user.client.send(route`GET /webhooks/${webhook}/deliveries/${id}`, { options: { signal } }).text()
  const text = await patiently(terminal, { signal }, call)
  const member = objectMembers(text, 0).find(({ key }) => key === 'payload')
  return member ? text.slice(member.value, member.end) : ''
}

/** Waits while nothing listens at the address. */
async function forwardOne(
  { terminal: { stderr }, to, signal }: Listening,
  { payload, sign }: { payload: string; sign: () => Promise<Signed> },
): Promise<Forwarded> {
  for (let tries = 0; ; tries++) {
    const { headers } = await sign()
    const outcome = await forward(to, { headers, payload, signal })
    if (!outcome.isUnreached) return outcome
    if (tries === 0)
      stderr.write(`Nothing listens at ${to} (${outcome.error}); deliveries wait until something does.\n`)
    await pause(Math.min(mostSeconds, 2 ** tries) * 1000, undefined, { signal })
  }
}

function report({ id, eventId, event }: Delivery, { status, error, durationMs }: Forwarded) {
  return { delivery: id, eventId, event, status, error, durationMs }
}

function line({ id, event, createdAt }: Delivery, { status, error, durationMs }: Forwarded): string {
  return `${createdAt}  ${event.padEnd(13)}  ${id}  ${status ?? error}  in ${durationMs} ms`
}
