const nothing = () => {}

/** Knex would report broken connections on its own; the caller that needs one gets the error anyway. */
export const silentLog = { warn: nothing, error: nothing, deprecate: nothing, debug: nothing }
