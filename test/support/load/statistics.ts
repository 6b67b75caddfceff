/** The value below which a share of the values lies; 0 for no values. */
export function quantile(values: readonly number[], share: number): number {
  const sorted = values.toSorted((a, b) => a - b)
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0
}

export function median(values: readonly number[]): number {
  return quantile(values, 0.5)
}

export function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0)
}

/** Each value divided by the one of the same round. */
export function ratios(values: readonly number[], over: readonly number[]): number[] {
  return values.map((value, round) => value / (over[round] ?? Number.NaN))
}
