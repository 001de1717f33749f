/** Divides the values of a heat map or a map into at most five steps, with ranges that really occur. */

/** Number of steps that can be told apart at a glance. */
const maxSteps = 5

export interface Step {
  /** Smallest and largest value in the step. */
  from: number
  to: number
  /** Strength of the step's mark, from 1 to 5. */
  level: number
}

/**
 * Makes the steps of the values above zero: one for each value when there are few different ones, else ranges
 * of equal width. Equal values share one step, and no step is empty.
 */
export function stepsOf(values: readonly number[]): Step[] {
  const distinctValues = [...new Set(values.filter((value) => value > 0))].toSorted((left, right) => left - right)
  const [minValue, maxValue] = [distinctValues[0] ?? 0, distinctValues.at(-1) ?? 0]
  const groupOf = (value: number) =>
    Math.min(maxSteps - 1, Math.floor(((value - minValue) / (maxValue - minValue)) * maxSteps))
  const groups =
    distinctValues.length <= maxSteps
      ? distinctValues.map((value) => [value])
      : [...Map.groupBy(distinctValues, groupOf).values()]
  return groups.map((group, index) => ({
    from: group[0] ?? 0,
    to: group.at(-1) ?? 0,
    level: Math.ceil(((index + 1) * maxSteps) / groups.length),
  }))
}

/** Strength of a value's mark; 0 for no cases. */
export const levelOf = (steps: readonly Step[], value: number): number =>
  steps.find(({ from, to }) => value >= from && value <= to)?.level ?? 0
