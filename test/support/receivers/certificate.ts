import { createPublicKey, generateKeyPairSync, type KeyObject, randomBytes, sign } from 'node:crypto'
import { parseAddress } from '#shared/net/address.ts'

/** A certificate and its private key, both PEM. */
export type Certificate = { cert: string; key: string }

export type LeafOptions = {
  /** DNS names and IP literals the certificate is for. */
  names?: readonly string[]
  notBefore?: Date
  notAfter?: Date
}

export type Authority = { cert: string; issue(options?: LeafOptions): Certificate }

const dayMs = 86_400_000

/**
 * A separate certificate authority, generated in memory: no network, no openssl, no key on disk. It issues certificates for localhost,
 * 127.0.0.1 and ::1 unless names are given.
 */
export function makeAuthority(): Authority {
  // The name distinguishes authorities when the issuer of a certificate is searched.
  const name = `listd test authority ${randomBytes(4).toString('hex')}`
  const { publicKey, privateKey } = newKey()
  const issuer = { name, privateKey }
  const validity = { notBefore: new Date(Date.now() - dayMs), notAfter: new Date(Date.now() + dayMs) }
  const cert = certificate({ issuer, subject: name, publicKey, ...validity, extensions: [isAuthority] })
  return {
    cert,
    issue({ names = ['localhost', '127.0.0.1', '::1'], ...times } = {}) {
      const key = newKey()
      const extensions = [alternativeNames(names)]
      const subject = 'listd test receiver'
      return {
        cert: certificate({ issuer, subject, publicKey: key.publicKey, ...validity, ...times, extensions }),
        key: key.privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(),
      }
    },
  }
}

/** A self-signed certificate. */
export function selfSigned(names: readonly string[] = ['127.0.0.1']): Certificate {
  const { publicKey, privateKey } = newKey()
  const name = 'listd test receiver'
  const validity = { notBefore: new Date(Date.now() - dayMs), notAfter: new Date(Date.now() + dayMs) }
  const fields = { issuer: { name, privateKey }, subject: name, publicKey, ...validity }
  return {
    cert: certificate({ ...fields, extensions: [alternativeNames(names)] }),
    key: privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(),
  }
}

function newKey(): { publicKey: KeyObject; privateKey: KeyObject } {
  const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  return { publicKey: createPublicKey(privateKey), privateKey }
}

/** An X.509 v3 certificate (RFC 5280, 4.1), signed with ECDSA and SHA-256. */
function certificate(fields: {
  issuer: { name: string; privateKey: KeyObject }
  subject: string
  publicKey: KeyObject
  notBefore: Date
  notAfter: Date
  extensions: Buffer[]
}): string {
  const body = sequence(
    tagged(0xa0, integer(Buffer.from([2]))),
    integer(Buffer.concat([Buffer.from([1]), randomBytes(15)])),
    ecdsaWithSha256,
    commonName(fields.issuer.name),
    sequence(generalizedTime(fields.notBefore), generalizedTime(fields.notAfter)),
    commonName(fields.subject),
    fields.publicKey.export({ type: 'spki', format: 'der' }),
    tagged(0xa3, sequence(...fields.extensions)),
  )
  const signature = sign('sha256', body, fields.issuer.privateKey)
  const der = sequence(body, ecdsaWithSha256, tagged(0x03, Buffer.from([0]), signature))
  const lines = der.toString('base64').match(/.{1,64}/g) ?? []
  return `-----BEGIN CERTIFICATE-----\n${lines.join('\n')}\n-----END CERTIFICATE-----\n`
}

function alternativeNames(names: readonly string[]): Buffer {
  const entries = names.map((name) => {
    const address = parseAddress(name)
    if (address === null) return tagged(0x82, Buffer.from(name, 'ascii'))
    const digits = address.family === 4 ? 8 : 32
    return tagged(0x87, Buffer.from(address.value.toString(16).padStart(digits, '0'), 'hex'))
  })
  return sequence(objectId('551d11'), tagged(0x04, sequence(...entries)))
}

function commonName(name: string): Buffer {
  return sequence(tagged(0x31, sequence(objectId('550403'), tagged(0x0c, Buffer.from(name)))))
}

function generalizedTime(time: Date): Buffer {
  const digits = time.toISOString().replace(/[-:T]|\.\d+/g, '')
  return tagged(0x18, Buffer.from(digits, 'ascii'))
}

function sequence(...parts: Buffer[]): Buffer {
  return tagged(0x30, ...parts)
}

function integer(bytes: Buffer): Buffer {
  return tagged(0x02, bytes)
}

function objectId(hex: string): Buffer {
  return tagged(0x06, Buffer.from(hex, 'hex'))
}

/** One DER value: tag, length, contents. */
function tagged(tag: number, ...parts: Buffer[]): Buffer {
  const contents = Buffer.concat(parts)
  return Buffer.concat([Buffer.from([tag]), derLength(contents.length), contents])
}

function derLength(length: number): Buffer {
  if (length < 128) return Buffer.from([length])
  const hex = length.toString(16)
  const bytes = Buffer.from(hex.padStart(hex.length + (hex.length % 2), '0'), 'hex')
  return Buffer.concat([Buffer.from([0x80 + bytes.length]), bytes])
}

const ecdsaWithSha256 = sequence(objectId('2a8648ce3d040302'))

/** Basic constraints, critical: this certificate may issue others. */
const isAuthority = sequence(
  objectId('551d13'),
  tagged(0x01, Buffer.from([0xff])),
  tagged(0x04, sequence(tagged(0x01, Buffer.from([0xff])))),
)
