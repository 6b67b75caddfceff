import { readFile } from 'node:fs/promises'
import { join } from 'node:path'

const readme = join(import.meta.dirname, '../../../README.md')

export type Tour = {
  ports: { api: number; receiver: number }
  /** The address of the API; the receiver is always on the loopback. */
  host?: string
  /** The replacement for `make start`; null: listd is already running, and trusts the certificate in the folder. */
  start?: string | null
  /** The replacement for `scripts/listd`. */
  listd?: string
}

/**
 * README's tour as a script for bash: what a reader would paste, block by block; commands that keep running are started in the
 * background and awaited.
 */
export async function readmeTour(tour: Tour): Promise<string> {
  const { ports, host = '127.0.0.1', start = 'make start', listd = 'scripts/listd' } = tour
  const [text = ''] = (await readFile(readme, 'utf8')).split('## A tour')[1]?.split(/^## /m) ?? []
  const blocks = [...text.matchAll(/^```sh\n([\s\S]*?)^```$/gm)].map(([, block = '']) => block)
  const steps = blocks.map((block) => {
    if (block.endsWith('make start\n')) return start === null ? '' : startStep(block, start)
    if (block.includes('receiver.mjs &')) {
      return `${block.replace('receiver.mjs &', `receiver.mjs > ${receiverLog} 2>&1 &`)}\n${waitFor(receiverLog, 'listening')}`
    }
    return `${block}\necho`
  })
  return ['set -euo pipefail', ...steps, waitFor(receiverLog, 'received'), `cat ${receiverLog}`]
    .join('\n')
    .replaceAll('127.0.0.1:3000', `${host}:${ports.api}`)
    .replaceAll('8443', String(ports.receiver))
    .replaceAll('scripts/listd', listd)
}

/** The block of the tour that creates the receiver's certificate, for a listd that is started with it. */
export async function certificateStep(): Promise<string> {
  const step = /^mkdir -p tour\nopenssl req [\s\S]*?(?=^export)/m.exec(await readFile(readme, 'utf8'))?.[0]
  if (step === undefined) throw new Error("README's tour makes no certificate")
  return step
}

function startStep(block: string, start: string): string {
  return `${block.trimEnd().replace('make start', start)} > tour/start.log 2>&1 &\n${waitFor('tour/start.log', 'try it')}`
}

const receiverLog = 'tour/receiver.log'

const waitFor = (file: string, text: string) =>
  `for i in $(seq 1200); do grep -q '${text}' ${file} && break; sleep 0.1; done; grep '${text}' ${file}`

/** The output of a complete tour. */
export const tourAnswers = [
  /"applied":true/,
  /"title":"Pancakes"/,
  /ITEM_SCHEMA_INVALID.*"pointer":"/,
  /received item.created \{ slug: 'waffles', title: 'Waffles' \}/,
]

/** On a busy machine signing in is 503 until the password's hash has its turn: a reader would repeat it. */
export const patientCurl = 'retry = 60\nretry-max-time = 180\n'
