/**
 * Finds the steps of an axis from 0: one, two or five times a power of ten, about four of them.
 *
 * @param max - The largest value.
 * @param leastStep - The smallest step: 1 for numbers that are counted.
 */
export function chartSteps(max: number, leastStep: number): number[] {
  const power = 10 ** Math.floor(Math.log10(Math.max(max, 1e-6) / 4))
  const step = Math.max(
    leastStep,
    [1, 2, 5, 10].map((factor) => factor * power).find((candidateStep) => candidateStep * 4 >= max) ?? max,
  )
  const count = Math.max(1, Math.ceil(max / step))
  return Array.from({ length: count + 1 }, (_, index) => Number((index * step).toPrecision(12)))
}
