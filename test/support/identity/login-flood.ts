import { Pool } from 'undici'

export type LoginFlood = {
  /** Logins whose password was verified, and was wrong. */
  verified(): number
  stop(): Promise<void>
}

/** The address and the API token for signing in. */
export type FloodTarget = { readonly address: string; credentials: { token: string } }

/** Settings with which the flood is not stopped by the limit for one address: the test is a proxy, and names another address for each login. */
export const floodEnv = { LISTD_GATEWAY_TRUSTED_PROXIES: '127.0.0.1' }

let logins = 0

/**
 * Signs in unknown identities, each with another name and from another address, `atOnce` at a time, until it is stopped: more than the
 * hashing threads, but few enough for quick responses while others have the CPU.
 */
export function floodLogins({ address, credentials }: FloodTarget, { atOnce = 6 } = {}): LoginFlood {
  const pool = new Pool(address, { connections: atOnce, pipelining: 1, allowH2: false })
  let verified = 0
  let stopped = false

  async function login(n: number): Promise<void> {
    const headers = {
      'content-type': 'application/json',
      'x-api-token': credentials.token,
      'x-forwarded-for': `10.${n >> 16}.${(n >> 8) & 255}.${n & 255}`,
    }
    const body = JSON.stringify({ name: `nobody-${n}`, password: 'a wrong password' })
    const answer = await pool.request({ method: 'POST', path: '/identities/login', headers, body })
    await answer.body.dump()
    if (answer.statusCode === 401) verified++
  }

  const workers = Array.from({ length: atOnce }, async () => {
    while (!stopped) await login(logins++)
  })
  return {
    verified: () => verified,
    async stop() {
      stopped = true
      await Promise.all(workers)
      await pool.close()
    },
  }
}
