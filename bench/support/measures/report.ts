import { median, quantile } from '../../../test/support/load/statistics.ts'

/** Prints one line of the report. */
export function print(line: string): void {
  process.stdout.write(`${line}\n`)
}

/** Prints a figure below the heading of its scenario. */
export function figure(name: string, text: string): void {
  print(`  ${name.padEnd(34)} ${text}`)
}

/** The median and the range of repeated measurements: `620 (610 to 655)`. */
export function spread(values: readonly number[], digits = 0): string {
  const [middle, low, high] = [median(values), quantile(values, 0), quantile(values, 1)]
  return `${rounded(middle, digits)} (${rounded(low, digits)} to ${rounded(high, digits)})`
}

export function rounded(value: number, digits = 0): string {
  return value.toLocaleString('en-US', { minimumFractionDigits: digits, maximumFractionDigits: digits })
}
