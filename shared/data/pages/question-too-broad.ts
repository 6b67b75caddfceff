import { AppError } from '#shared/errors.ts'

/**
 * The error of a page by number that needs more rows than a call examines (contract 1.3).
 * @param of.parameter the parameter of the request that no index supports
 * @param of.rows the noun for the examined rows, in the plural
 * @param of.advice the end of the message: how to narrow the request
 */
export function questionTooBroad(of: { parameter: string; examined: number; rows: string; advice: string }): AppError {
  const { parameter, examined, rows, advice } = of
  return new AppError('QUESTION_TOO_BROAD', {
    message: `A page by number with this ${parameter} would examine more than ${examined} ${rows}; page with after=, ${advice}`,
    details: { examined, parameter },
  })
}
