// What work takes in steps: as many as fit the time that it takes. `docs/design/flows.md` says how that is measured.

/** Called with the amount of work that was done: a step for each. */
export type Burn = (steps: number) => void

/** A text of so many characters that is created or read. */
export const stepsOf = (characters: number) => Math.ceil(characters / 64)

/** Members of an object that are listed or written, one step each where they are few. */
export const stepsOfMembers = (members: number) => members + extraOfMembers(members)

/** What members take beyond one step each. A wide object is a table that no cache of a processor holds. */
export const extraOfMembers = (members: number) => manyTimes * Math.max(0, members - fewMembers)

const fewMembers = 256
const manyTimes = 4

/** A number that no double holds, whose digits are brought into one form to compare them. */
export const stepsOfDigits = (characters: number) => 8 * stepsOf(characters)

/** A text whose characters are looked at one by one. After the first 1,024 each one counts four times. */
export const stepsToScan = (characters: number) => stepsOf(characters + 3 * Math.max(0, characters - 1_024))

/** A text in which a part is looked for. A long part may almost fit, again and again. */
export const stepsToFind = (characters: number, part: number) => stepsToScan(characters) * Math.max(1, stepsOf(part))
