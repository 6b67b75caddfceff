import { AppError, type AppErrorOptions, type ErrorName } from '#shared/errors.ts'

/** The error of one change of a unit, which is all that was wrong with it. */
export class RejectedChange extends AppError {
  /** The index of the change in its unit. */
  readonly change: number
  constructor(change: number, name: ErrorName, options: AppErrorOptions = {}) {
    super(name, options)
    this.change = change
  }
}
