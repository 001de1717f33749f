/** Converts conditions of filters to the operators of contract §6. */
import type { Query } from '../../api/query-string.ts'
import { dayToDate } from '../../lib/format.ts'
import type { Condition } from './condition.ts'
import type { Filter } from './filter.ts'

/** Query operators for one condition of a filter. */
export function operatorsOf({ kind }: Filter, condition: Condition): Query {
  switch (condition.is) {
    case 'empty':
      // A filter for empty text also matches an empty string, which an optional text may be stored as
      // (contract §4).
      return kind === 'text' ? { $or: [{ $null: true }, { $eq: '' }] } : { $null: true }
    case 'filled':
      return kind === 'text' ? { $notNull: true, $ne: '' } : { $notNull: true }
    case 'equal':
      return { $eqi: condition.text }
    case 'contains':
      return { $containsi: condition.text }
    case 'starts':
      return { $startsWithi: condition.text }
    case 'range':
      return kind === 'moment' ? momentsOfRange(condition) : rangeOf(condition)
    case 'anyOf': {
      const [singleValue] = condition.values
      return condition.values.length === 1 ? { $eq: singleValue } : { $in: condition.values }
    }
  }
}

type RangeCondition = Extract<Condition, { is: 'range' }>

function rangeOf({ from, to }: RangeCondition): Query {
  if (from !== undefined && from === to) return { $eq: from }
  return { ...(from !== undefined && { $gte: from }), ...(to !== undefined && { $lte: to }) }
}

/**
 * Moments of a range of days in the user's time zone: from the start of the first day to the end of the
 * last.
 */
function momentsOfRange({ from, to }: RangeCondition): Query {
  const midnightOf = (day: string, daysLater: number) => {
    const date = dayToDate(day)
    date?.setDate(date.getDate() + daysLater)
    return date?.toISOString()
  }
  return {
    ...(from !== undefined && { $gte: midnightOf(from, 0) }),
    ...(to !== undefined && { $lt: midnightOf(to, 1) }),
  }
}
