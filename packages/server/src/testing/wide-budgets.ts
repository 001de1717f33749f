/** Budgets that no test and no proof spends unless it narrows them: one person there writes more than people do. */
export const wideBudgets = {
  WRITE_BUDGET: '1000000/1m',
  STAFF_WRITE_BUDGET: '1000000/1m',
  ADDRESS_WRITE_BUDGET: '1000000/1m',
  LETTER_THROTTLE: '10000/1h',
} as const
