// The cost of work in steps, in proportion to the time that it takes. `docs/design/flows.md` describes how it was measured.

/** Counts steps of work. */
export type Burn = (steps: number) => void

/** The steps to create or read a text of a number of characters. */
export const stepsOf = (characters: number) => Math.ceil(characters / 64)

/** The steps to list or write the members of an object: one each if there are few. */
export const stepsOfMembers = (members: number) => members + extraOfMembers(members)

/** The steps of members beyond one each. A large object does not fit a processor cache. */
export const extraOfMembers = (members: number) => manyTimes * Math.max(0, members - fewMembers)

const fewMembers = 256
const manyTimes = 4

/** The steps to normalize the digits of a number that does not fit a double, in order to compare it. */
export const stepsOfDigits = (characters: number) => 8 * stepsOf(characters)

/** The steps to read a text character by character. After the first 1,024, each character counts four times. */
export const stepsToScan = (characters: number) => stepsOf(characters + 3 * Math.max(0, characters - 1_024))

/** The steps to find a part in a text. A long part may almost match at many positions. */
export const stepsToFind = (characters: number, part: number) => stepsToScan(characters) * Math.max(1, stepsOf(part))
