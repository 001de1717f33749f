/** The answer of a report without figures, for tests of what stands around them. */
import type { ReportKey } from '@dala/model'

/**
 * Returns the answer of a report of three days that has no figures.
 *
 * @param id - Id of the report.
 * @param key - Key of the report.
 * @param title - English title of the report.
 */
export const emptyReport = (id: number, key: ReportKey, title: string) => ({
  data: {
    id,
    attributes: { key, title: { en: title }, description: { en: `About ${title}` } },
    metrics: [],
    series: [],
    breakdowns: [],
    stacks: [],
    matrices: [],
  },
  meta: {
    from: '2026-10-01',
    to: '2026-10-03',
    compare_from: null,
    compare_to: null,
    interval: 'day',
    compare: 'none',
    tz: 'Asia/Tashkent',
    data_through: '2026-10-03T07:05:00.000Z',
    generated_at: '2026-10-03T07:05:00.000Z',
  },
})
