/** Limits of API calls about accounts. */

/** Maximum characters of the reason for blocking or unblocking an account. */
export const maxBlockReason = 255

/** Accounts in one call for their load: the maximum page size of a list (contract §5). */
export const maxLoads = 100
