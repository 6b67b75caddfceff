import { AppError, type AppErrorOptions, type ErrorName } from '#shared/errors.ts'

/** The error of one change, which is the only reason why its unit failed. */
export class RejectedChange extends AppError {
  /** The index of the change in its unit. */
  readonly change: number
  constructor(change: number, name: ErrorName, options: AppErrorOptions = {}) {
    super(name, options)
    this.change = change
  }
}
