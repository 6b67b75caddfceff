import { createWebhookSecret, signatureHeader, standardSignatures } from '#shared/crypto/signature.ts'

/** A request as a receiver gets it, with the secret that the receiver has. */
export type SignedRequest = { secret: string; headers: Record<string, string>; body: Buffer }

type Judged = SignedRequest & { claim: string; isFromListd: boolean }

const [secret, old] = [createWebhookSecret(), createWebhookSecret()]
const body = Buffer.from('{"id":"e1","type":"item.created","data":{"title":"Crêpes 🥞"}}')
const good = () => ({ secret, body, secondsAgo: 0, secrets: [secret] })

/** Requests with `webhook-signature`, valid and invalid ones, by the code that signs deliveries. */
export function standardRequests(): Judged[] {
  const right = standard(good())
  const [id = '', seconds = '', signature = ''] = Object.values(right)
  const from = (claim: string, headers: Record<string, string>, other = {}): Judged => ({
    ...good(),
    claim,
    headers,
    isFromListd: true,
    ...other,
  })
  const wrong = { isFromListd: false }
  const replaced = standard({ ...good(), secrets: [secret, old] })
  return [
    ...common(standard),
    from('signed with the new and the old secret, by the new', replaced),
    from('signed with the new and the old secret, by the old', replaced, { secret: old }),
    from('with another id', { ...right, 'webhook-id': `${id}x` }, wrong),
    from('with another time', { ...right, 'webhook-timestamp': `${Number(seconds) + 1}` }, wrong),
    from('with a time that is not a number', { ...right, 'webhook-timestamp': 'a[$(touch hacked)]' }, wrong),
    from('without a time', { ...right, 'webhook-timestamp': '' }, wrong),
    from(
      'with a signature of another version',
      { ...right, 'webhook-signature': signature.replace('v1', 'v2') },
      wrong,
    ),
    from('with a signature that is cut', { ...right, 'webhook-signature': signature.slice(0, -1) }, wrong),
    from('with a signature beyond ASCII', { ...right, 'webhook-signature': signature.replace(/...$/, 'é=') }, wrong),
  ]
}

/** Requests with `x-service-signature`, likewise. */
export function serviceRequests(): Judged[] {
  const right = service(good())['x-service-signature']
  const from = (claim: string, value: string): Judged => ({
    ...good(),
    claim,
    headers: { 'x-service-signature': value },
    isFromListd: false,
  })
  return [
    ...common(service),
    from('with another time', right.replace(/t=\d/, 't=9')),
    from('with a time that is not a number', right.replace(/t=\d+/, 't=a[$(touch hacked)]')),
    from('with a signature of another version', right.replace('v1', 'v2')),
    from('with a signature that is cut', right.slice(0, -1)),
    from('with something after it', `${right}\n`),
  ]
}

type Signing = ReturnType<typeof good>

function common(sign: (signing: Signing) => Record<string, string>): Judged[] {
  const at = (claim: string, secondsAgo: number, isFromListd: boolean): Judged => ({
    ...good(),
    claim,
    headers: sign({ ...good(), secondsAgo }),
    isFromListd,
  })
  const none = Buffer.alloc(0)
  return [
    at('signed now', 0, true),
    at('signed three minutes ago', 180, true),
    at('signed ten minutes ago', 600, false),
    at('signed ten minutes ahead', -600, false),
    { ...at('without a body', 0, true), headers: sign({ ...good(), body: none }), body: none },
    { ...at('with another body', 0, false), body: Buffer.from(`${body} `) },
    { ...at('signed with another secret', 0, false), secret: old },
    { ...at('without a signature', 0, false), headers: {} },
  ]
}

function standard({ body, secondsAgo, secrets }: Signing) {
  const timestampSeconds = Math.floor(Date.now() / 1000) - secondsAgo
  return {
    'webhook-id': 'e1',
    'webhook-timestamp': `${timestampSeconds}`,
    'webhook-signature': standardSignatures({ secrets, id: 'e1', timestampSeconds, body }),
  }
}

function service({ body, secondsAgo, secret }: Signing) {
  const timestampSeconds = Math.floor(Date.now() / 1000) - secondsAgo
  return { 'x-service-signature': signatureHeader({ secret, timestampSeconds, body }) }
}
