import { createInterface } from 'node:readline'
import type { Readable } from 'node:stream'
import { stripVTControlCharacters } from 'node:util'

/** The most lines of explanation, and of logs, that are repeated. */
const maxExplained = 200
const maxLogged = 150

/** The most lines of a process before it died, in which V8 and Node give the reason. */
const maxLastWords = 20

/** A line of a passed test, or of a log. */
const saysNothing = /^( +[✔-] |\{|\s*$)/
const died = /exited (due to|with a non-zero exit code)/

/** A line of a stack outside this project. */
const foreignFrame = /^ +at .*(node_modules|node:)/

/** Ava's output about failures so far. */
export type Failures = {
  /** Reads one of its streams; shows failures immediately, and everything if `verbose`. */
  read(stream: Readable, options: { verbose: boolean }): void
  /**
   * The logs of the failed tests from `failure-log.ts`, ava's explanations, and at the end, for readers of only the last lines, the
   * names of the failed tests, one per line.
   */
  reported(): string[]
}

export function createFailures(show: (line: string) => void): Failures {
  const failed: string[] = []
  const explained: string[] = []
  const logged: string[] = []
  const lastWords: string[] = []

  function lineReader(): (line: string) => void {
    let explains = false
    let logs = false
    return (line) => {
      const [, what] = /^ +(?:✘ (?:\[fail\]: )?|◌ )(.*)/.exec(line) ?? []
      if (what) failed.push(what)
      if (what && died.test(what)) explained.push(...lastWords.splice(0))
      else if (!saysNothing.test(line)) lastWords.splice(0, lastWords.push(line) - maxLastWords)
      const begins = /^ +ℹ .*: \d+ of \d+ lines$/.test(line)
      if (begins && !logs) logged.push(failed.at(-1) ?? '')
      logs = begins || (logs && line.startsWith('      '))
      if (logs) logged.push(line)
      if (line.trim() === '─') explains = !explains
      else if (explains && line.trim() !== '' && !foreignFrame.test(line)) explained.push(line)
    }
  }

  return {
    read(stream, { verbose }) {
      const read = lineReader()
      createInterface(stream).on('line', (line) => {
        const known = failed.length
        read(stripVTControlCharacters(line))
        if (verbose || failed.length > known) show(line)
      })
    },
    reported: () => [...logged.slice(0, maxLogged), ...explained.slice(0, maxExplained), ...failed],
  }
}
