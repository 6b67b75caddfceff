/** State that all parts of a room share, and that no part may leave changed. */
type ProcessState = Record<string, unknown>

/** Globals that a test could replace; those that Node.js creates at the first use are not included. */
const replaceable = ['Date', 'Math', 'fetch', 'setTimeout', 'setInterval', 'setImmediate', 'queueMicrotask'] as const

export function readProcessState(): ProcessState {
  const globals = Object.getOwnPropertyNames(globalThis).map((name) => [`globalThis.${name}`, 'there'])
  const values = replaceable.map((name) => [`globalThis.${name}`, globalThis[name]])
  const variables = Object.entries(process.env).map(([name, value]) => [`process.env.${name}`, value])
  const own = {
    'process.cwd()': process.cwd(),
    'process.umask()': process.umask(),
    'process.exitCode': process.exitCode,
  }
  return { ...Object.fromEntries([...globals, ...values, ...variables]), ...own }
}

/** The names of the differences. */
export function changesOf(before: ProcessState, after: ProcessState): string[] {
  const names = new Set([...Object.keys(before), ...Object.keys(after)])
  return [...names].filter((name) => before[name] !== after[name])
}
