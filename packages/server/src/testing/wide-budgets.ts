/**
 * Budgets that tests and proofs do not exceed unless they lower them: one test account writes
 * more than a real user.
 */
export const wideBudgets = {
  WRITE_BUDGET: '1000000/1m',
  STAFF_WRITE_BUDGET: '1000000/1m',
  ADDRESS_WRITE_BUDGET: '1000000/1m',
  LETTER_THROTTLE: '10000/1h',
} as const
