/**
 * The health check of the image, for one service and for all of them: exit code 0 when each process of this container that
 * serves its health is ready, and at least one does.
 */
const host = process.env.LISTD_OPS_HOST || '127.0.0.1'
const authority = host.includes(':') ? `[${host}]` : host
const ports = ['GATEWAY', 'IDENTITY', 'DISPATCHER'].map((name) => process.env[`LISTD_${name}_OPS_PORT`])
const answers = await Promise.all([...new Set(ports)].map(ask))
process.exitCode = answers.includes('ready') && !answers.includes('not ready') ? 0 : 1

/** @returns null when nothing listens: the process runs in another container, or is being started again */
async function ask(port: string | undefined): Promise<'ready' | 'not ready' | null> {
  if (port === undefined || port === '0') return null
  try {
    const { ok } = await fetch(`http://${authority}:${port}/health/ready`, { signal: AbortSignal.timeout(4_000) })
    return ok ? 'ready' : 'not ready'
  } catch (error) {
    return error instanceof DOMException ? 'not ready' : null
  }
}
