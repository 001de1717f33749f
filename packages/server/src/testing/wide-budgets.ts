/**
 * Budgets that tests and proofs do not exceed unless they lower them: one person there writes more than real
 * users do.
 */
export const wideBudgets = {
  WRITE_BUDGET: '1000000/1m',
  STAFF_WRITE_BUDGET: '1000000/1m',
  ADDRESS_WRITE_BUDGET: '1000000/1m',
  LETTER_THROTTLE: '10000/1h',
} as const
