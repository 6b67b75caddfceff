/** All bands between two, the highest first. */
export function bandsDown(highest: number, lowest: number): number[] {
  return Array.from({ length: highest - lowest + 1 }, (_, n) => highest - n)
}
