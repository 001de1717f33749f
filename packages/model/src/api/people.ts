/** Bounds of what is done to accounts. */

/** Letters of the reason for which an account is blocked or let in again. */
export const maxBlockReason = 255

/** Accounts whose load one call asks for: as many as a page of a list may have (contract §5). */
export const maxLoads = 100
