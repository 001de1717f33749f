/**
 * Three news and one condition for every operator of Strapi v4, in the object form that clients turn into
 * brackets.
 */

export const stories = {
  wheat: { title: 'Wheat', description: 'Sown in autumn', views: 1, date: '2026-01-10', featured: true },
  bread: { title: 'wheat bread', views: 5, date: '2026-02-10' },
  cotton: { title: 'Пахта', description: 'Picked: 50% & more = well', views: 9, date: '2026-03-10' },
} as const

export type ConditionTitle = keyof typeof stories

export interface Condition {
  operator: string
  filters: Record<string, unknown>
  matchedStories: readonly ConditionTitle[]
}

const table: readonly (readonly [string, Record<string, unknown>, ...ConditionTitle[]])[] = [
  ['a value alone', { views: 5 }, 'bread'],
  ['$eq', { views: { $eq: 5 } }, 'bread'],
  ['$eq with a list', { views: { $eq: [1, 9] } }, 'wheat', 'cotton'],
  ['$eq of a yes or no', { featured: { $eq: true } }, 'wheat'],
  ['$eqi', { title: { $eqi: 'WHEAT' } }, 'wheat'],
  ['$ne', { views: { $ne: 5 } }, 'wheat', 'cotton'],
  ['$nei', { title: { $nei: 'WHEAT' } }, 'bread', 'cotton'],
  ['$lt', { views: { $lt: 5 } }, 'wheat'],
  ['$lte', { views: { $lte: 5 } }, 'wheat', 'bread'],
  ['$gt', { views: { $gt: 5 } }, 'cotton'],
  ['$gte of a date', { date: { $gte: '2026-02-10' } }, 'bread', 'cotton'],
  ['$in', { views: { $in: [1, 9] } }, 'wheat', 'cotton'],
  ['$notIn', { views: { $notIn: [1, 9] } }, 'bread'],
  ['$contains', { title: { $contains: 'Wheat' } }, 'wheat'],
  ['$contains of signs that an address uses', { description: { $contains: '50% & more =' } }, 'cotton'],
  ['$notContains', { title: { $notContains: 'Wheat' } }, 'bread', 'cotton'],
  ['$containsi', { title: { $containsi: 'WHEAT' } }, 'wheat', 'bread'],
  ['$containsi of Cyrillic', { title: { $containsi: 'ПАХ' } }, 'cotton'],
  ['$notContainsi', { title: { $notContainsi: 'WHEAT' } }, 'cotton'],
  ['$startsWith', { title: { $startsWith: 'wheat' } }, 'bread'],
  ['$startsWithi', { title: { $startsWithi: 'WHEAT' } }, 'wheat', 'bread'],
  ['$endsWith', { title: { $endsWith: 'bread' } }, 'bread'],
  ['$endsWithi', { title: { $endsWithi: 'АХТА' } }, 'cotton'],
  ['$null', { description: { $null: true } }, 'bread'],
  ['$null=false', { description: { $null: false } }, 'wheat', 'cotton'],
  ['$notNull', { description: { $notNull: true } }, 'wheat', 'cotton'],
  ['$between', { views: { $between: [5, 9] } }, 'bread', 'cotton'],
  ['$not', { $not: { views: { $eq: 5 } } }, 'wheat', 'cotton'],
  ['$not inside an attribute', { title: { $not: { $contains: 'heat' } } }, 'cotton'],
  ['$or', { $or: [{ views: 1 }, { title: { $eq: 'Пахта' } }] }, 'wheat', 'cotton'],
  ['$and', { $and: [{ views: { $gt: 1 } }, { title: { $contains: 'wheat' } }] }, 'bread'],
  [
    '$or inside $and inside $or',
    { $or: [{ $and: [{ $or: [{ views: { $eq: 1 } }, { views: { $eq: 9 } }] }, { title: { $containsi: 'пахта' } }] }] },
    'cotton',
  ],
]

export const conditions: readonly Condition[] = table.map(([operator, filters, ...matchedStories]) => ({
  operator,
  filters,
  matchedStories,
}))

/** Returns the test's news that an answer contains, in the order of their table. */
export function storiesOf(titles: readonly string[]): ConditionTitle[] {
  const foundTitles = new Set(titles)
  return (['wheat', 'bread', 'cotton'] as const).filter((story) => foundTitles.has(stories[story].title))
}
