import { counted } from '#shared/domain/text/counted.ts'

/** Units of durations, in seconds, largest first. */
export const units = [
  { name: 'day', seconds: 86_400 },
  { name: 'hour', seconds: 3_600 },
  { name: 'minute', seconds: 60 },
  { name: 'second', seconds: 1 },
] as const
export type Unit = (typeof units)[number]['name']

/** A duration in the largest unit in which it is a whole number. */
export function inUnit(seconds: number): { value: number; unit: Unit } {
  const unit = units.find((one) => seconds % one.seconds === 0) ?? units[3]
  return { value: seconds / unit.seconds, unit: unit.name }
}

export function toSeconds(value: number, unit: Unit): number {
  return value * (units.find(({ name }) => name === unit)?.seconds ?? 1)
}

/** For example "7 days". */
export function durationWords(seconds: number): string {
  const { value, unit } = inUnit(seconds)
  return counted(value, unit)
}
