/** Divides a line into its complete part and its dashed part, which leads from and to an incomplete interval. */

interface LinePoint {
  value: number | null
  partial: boolean
}

/** A point of a line with its value in the complete part and in the dashed one. */
export type SplitPoint<P> = P & { wholeValue: number | null; partialValue: number | null }

export function splitAtPartial<P extends LinePoint>(points: readonly P[]): SplitPoint<P>[] {
  return points.map((point, index) => {
    const isBesidePartial = point.partial || points[index - 1]?.partial === true || points[index + 1]?.partial === true
    return {
      ...point,
      wholeValue: point.partial ? null : point.value,
      partialValue: isBesidePartial ? point.value : null,
    }
  })
}
