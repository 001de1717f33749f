/** Limits of API calls about accounts. */

/** Maximum characters of the reason for blocking or unblocking an account. */
export const maxBlockReason = 255

/** Maximum number of accounts in one call for their open work, that of a list's page (contract §5). */
export const maxWorkloads = 100
